// SPDX-License-Identifier: MIT
#include <teff/lab/report_html.hpp>

namespace teff::lab {

// Colours of lines are those that people who see few colours can tell apart (Okabe and Ito).
const char* const report_style = R"css(
:root { color-scheme: light dark;
  --ink: #1b2129; --faint: #55606c; --paper: #ffffff; --panel: #f4f6f8; --line: #d5dbe1;
  --link: #00599c; --bad: #a8201a; --good: #00704f;
  --c0: #0072b2; --c1: #d55e00; --c2: #009e73; --c3: #b0568c; --c4: #b07900; --c5: #2f8fc4;
  --c6: #6b5bb0; --c7: #6f7780;
  --left-0: #2a6f97; --left-1: #73a9c9; --left-2: #e0a13c; --left-3: #cc5527;
  --beyond: #8c7fc0; }
@media (prefers-color-scheme: dark) { :root {
  --ink: #e4e8ec; --faint: #a0abb6; --paper: #14181d; --panel: #1d232a; --line: #3a434d;
  --link: #7cc0f5; --bad: #ff8a80; --good: #5cd0a5;
  --c0: #4ba8e0; --c1: #f08a40; --c2: #35c79b; --c3: #dd8fbd; --c4: #e0b03a; --c5: #7cc8f0;
  --c6: #a99bea; --c7: #9aa4ae;
  --left-0: #4a9ac4; --left-1: #9cc9e2; --left-2: #e6b055; --left-3: #e57a4b;
  --beyond: #a79ade; } }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 1.25rem 1rem 4rem; max-width: 76rem; color: var(--ink);
  background: var(--paper); font: 16px/1.45 system-ui, sans-serif; overflow-wrap: break-word; }
h1 { font-size: 1.5rem; line-height: 1.2; margin: 0 0 .4rem; }
h2 { font-size: 1.25rem; margin: 2.25rem 0 .5rem; padding-top: .5rem;
  border-top: 1px solid var(--line); }
h3 { font-size: 1rem; margin: 1.25rem 0 .35rem; }
h3.case { font-size: 1.125rem; margin-top: 1.75rem; padding-top: .5rem;
  border-top: 1px solid var(--line); }
p { margin: .35rem 0; max-width: 60rem; }
a { color: var(--link); }
.machine { font-weight: 600; max-width: none; }
.lead { font-size: 1.1rem; }
.faint, figcaption, small { color: var(--faint); font-size: .875rem; }
figcaption { margin: 0 0 .4rem; }
nav ul { padding-left: 1.2rem; margin: .25rem 0; }
nav h2 { border: 0; margin: 1.25rem 0 .25rem; padding: 0; }
details { margin: .5rem 0; }
summary { cursor: pointer; color: var(--link); }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-size: .875rem; font-variant-numeric: tabular-nums; }
th, td { text-align: left; padding: .2rem .8rem .2rem 0; border-bottom: 1px solid var(--line);
  vertical-align: top; white-space: nowrap; }
th { color: var(--faint); font-weight: 600; }
td:last-child { white-space: normal; min-width: 9rem; }
th.number, td.number { text-align: right; }
.small td { white-space: normal; overflow-wrap: anywhere; }
.small td.number { white-space: nowrap; }
.charts { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(22.5rem, 100%), 1fr));
  gap: .75rem; align-items: start; }
.charts.only-wide { grid-template-columns: repeat(auto-fill, minmax(min(36rem, 100%), 1fr)); }
.only-narrow { display: none; }
figure { margin: 0; padding: .6rem .75rem; background: var(--panel); border-radius: .5rem;
  break-inside: avoid; min-width: 0; }
figure img { max-width: 100%; height: auto; display: block; }
svg text { fill: var(--ink); font: 12px system-ui, sans-serif; }
svg .power { font-size: 11.5px; }
.labels text { paint-order: stroke; stroke: var(--panel); stroke-width: 3px; font-size: 11.5px; }
svg.chart { max-width: 100%; height: auto; display: block; }
.axis { stroke: var(--faint); } .grid { stroke: var(--line); } .leader { stroke: var(--faint); stroke-width: .7; }
.level { stroke: var(--ink); stroke-width: 1.5; }
.chart .level, .legend .level { stroke: var(--faint); stroke-dasharray: 2 3; }
.c0 { --c: var(--c0); } .c1 { --c: var(--c1); } .c2 { --c: var(--c2); } .c3 { --c: var(--c3); }
.c4 { --c: var(--c4); } .c5 { --c: var(--c5); } .c6 { --c: var(--c6); } .c7 { --c: var(--c7); }
.curve { fill: none; stroke: var(--c); stroke-width: 2; }
.curve.second { stroke-dasharray: 5 4; }
.mark { fill: var(--c); stroke: var(--c); stroke-width: 1.5; }
.mark.second { fill: var(--panel); }
.bar { fill: var(--c); stroke: var(--c); }
.bar.second { fill-opacity: .25; }
.left-0 { --c: var(--left-0); } .left-1 { --c: var(--left-1); }
.left-2 { --c: var(--left-2); } .left-3 { --c: var(--left-3); }
.beyond { --c: var(--beyond); }
.slower { --c: var(--bad); } .faster { --c: var(--good); }
.same, .unclear { --c: var(--faint); } .bar.range { fill-opacity: .3; stroke: none; }
.legend { list-style: none; padding: 0; margin: .4rem 0 0; display: flex; flex-wrap: wrap;
  gap: .1rem 1rem; font-size: .8125rem; color: var(--faint); }
.legend svg { vertical-align: -1px; margin-right: .35rem; }
.row { display: grid; grid-template-columns: minmax(9rem, 12rem) 1fr auto; gap: 0 .75rem;
  align-items: center; color: inherit; text-decoration: none; font-size: .875rem;
  line-height: 1.2; }
a.row:hover { background: var(--line); }
.row.head { color: var(--faint); }
svg.bars { display: block; overflow: visible; }
.values { display: flex; font-variant-numeric: tabular-nums; }
.values span { width: 3.75rem; text-align: right; }
.changes .row { grid-template-columns: minmax(9rem, 24rem) 1fr auto; }
.charts .row { grid-template-columns: minmax(6rem, 8rem) 1fr auto; font-size: .8125rem; }
.charts .values span { width: 3rem; }
.findings { list-style: none; padding: 0; margin: 0; }
.findings li { display: grid; grid-template-columns: 10rem 12rem 1fr; gap: 0 1rem;
  padding: .3rem 0; border-bottom: 1px solid var(--line); break-inside: avoid; }
.findings p { margin: 0; font-size: .9375rem; }
.bad { color: var(--bad); font-weight: 600; }
dt { font-weight: 600; }
dd { margin: 0 0 .5rem; max-width: 60rem; }
@media screen and (max-width: 45rem) {
  body { padding: .75rem .75rem 3rem; }
  .only-wide { display: none; } .only-narrow { display: grid; }
  .findings li { grid-template-columns: 8rem 1fr; }
  .findings div { grid-column: 1 / -1; }
  .overview .row, .changes .row, .charts .row, .row { grid-template-columns: 1fr auto; }
  .rows .row > svg { grid-column: 1 / -1; grid-row: 2; }
  .row.head > svg { grid-row: 1; } .row.head > .values { grid-row: 2; grid-column: 2; }
  figure { padding: .5rem; }
  td:last-child { min-width: 7rem; } }
@media print {
  :root { --ink: #000; --faint: #444; --paper: #fff; --panel: #fff; --line: #ccc; --link: #000;
    font-size: 10px; }
  @page { margin: 10mm; }
  body { max-width: none; font-size: 10px; padding: 0; }
  h2, h3, h3.case { margin: .8rem 0 .2rem; padding-top: .3rem; break-after: avoid; }
  .wide { overflow: visible; }
  td, th { white-space: normal; padding: .1rem .4rem .1rem 0; }
  details:not([open]), .files, .samples { display: none; }
  svg text { font-size: 10px; }
  .chart text { font-size: 14px; }
  .findings li { padding: .1rem 0; grid-template-columns: 11rem 9rem 1fr; gap: 0 .5rem; }
  .findings p { font-size: .875rem; max-width: none; }
  p { margin: .15rem 0; }
  .charts { grid-template-columns: repeat(3, 1fr); gap: .3rem; }
  .charts.only-wide { grid-template-columns: 1fr 1fr; display: grid; }
  .only-wide .chart text { font-size: 12px; }
  figure { padding: .2rem; }
  a { color: inherit; text-decoration: none; } }
)css";

const char* const report_style_hash = "sha256-EOxed/CP9fCRYJMwGeQS3enzPZuAVZOcrs1m2q1CVMk=";

}  // namespace teff::lab
