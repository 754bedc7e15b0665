// SPDX-License-Identifier: MIT
#include <teff/lab/report_html.hpp>

namespace teff::lab {

const char* const report_style = R"css(
:root { color-scheme: light dark;
  --ink: #1b2129; --faint: #55606c; --paper: #ffffff; --panel: #f4f6f8; --line: #d5dbe1;
  --link: #00599c; --bad: #a8201a; }
@media (prefers-color-scheme: dark) { :root {
  --ink: #e4e8ec; --faint: #a0abb6; --paper: #14181d; --panel: #1d232a; --line: #3a434d;
  --link: #7cc0f5; --bad: #ff8a80; }
  figure svg { filter: brightness(1.3); } }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 1.5rem 1rem 4rem; max-width: 76rem; color: var(--ink);
  background: var(--paper); font: 16px/1.5 system-ui, sans-serif; overflow-wrap: break-word; }
h1 { font-size: 1.7rem; line-height: 1.2; margin: 0 0 .5rem; }
h2 { font-size: 1.25rem; margin: 2.5rem 0 .5rem; padding-top: .5rem;
  border-top: 1px solid var(--line); }
h3 { font-size: 1rem; margin: 1.5rem 0 .5rem; }
a { color: var(--link); }
.lead { font-size: 1.15rem; max-width: 60rem; }
.faint, figcaption { color: var(--faint); font-size: .9rem; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-size: .875rem; font-variant-numeric: tabular-nums; }
th, td { text-align: left; padding: .2rem .7rem .2rem 0; border-bottom: 1px solid var(--line);
  vertical-align: top; white-space: nowrap; }
th { color: var(--faint); font-weight: 600; }
td:last-child { white-space: normal; min-width: 12rem; }
th.number, td.number { text-align: right; }
.findings { list-style: none; padding: 0; }
.findings li { display: grid; grid-template-columns: 16rem 7rem 1fr; gap: 0 1rem;
  padding: .35rem 0; border-bottom: 1px solid var(--line); }
.findings .faint { display: block; }
meter { width: 6rem; height: 1rem; }
.charts { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(30rem, 100%), 1fr));
  gap: 1rem; }
figure { margin: 0; padding: .75rem; background: var(--panel); border-radius: .5rem;
  break-inside: avoid; }
figure svg, figure img { height: auto; display: block; }
figure svg { width: 100%; max-width: 52rem; }
figure img { max-width: 100%; }
svg [stroke="black"] { stroke: var(--ink); }
svg [fill="black"] { fill: var(--ink); }
svg [color="black"] { color: var(--ink); }
svg [stroke="rgb(221, 221, 221)"] { stroke: var(--line); }
.bad { color: var(--bad); font-weight: 600; }
dt { font-weight: 600; }
dd { margin: 0 0 .5rem; max-width: 60rem; }
@media (max-width: 45rem) { .findings li { grid-template-columns: 1fr; } }
@media print {
  body { max-width: none; font-size: 11px; padding: 0; }
  .wide { overflow: visible; }
  td, th { white-space: normal; }
  a { color: inherit; text-decoration: none; } }
)css";

const char* const report_style_hash = "sha256-wDamqRSPAbvAbBFHmDw1xm0pN1mxdgodRMKj93oBCbU=";

}  // namespace teff::lab
