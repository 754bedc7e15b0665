# SPDX-License-Identifier: MIT
"""The text of a time step in Python as the same text in C++: operators within operators as they stand there,
while the package writes a line for each (emit.py)."""

import ast

_SYMBOLS = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.BitAnd: "&&",
            ast.BitOr: "||", ast.USub: "-", ast.Invert: "!", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">",
            ast.GtE: ">=", ast.Eq: "=="}


def cpp_of(text):
    """The definition of `step`."""
    function = ast.parse(text).body[0]
    *lines, last = function.body
    body = [f"  auto {line.targets[0].id} = {_cpp(line.value)};\n" for line in lines]
    parameters = ", ".join(f"auto {a.arg}" for a in function.args.args)
    return f"const auto step = timestep([]({parameters}) {{\n{''.join(body)}" \
        f"  return {_cpp(last.value)};\n}});\n"


def _cpp(node):
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Constant):
        return repr(node.value)
    if isinstance(node, ast.Tuple):
        return f"{{{', '.join(map(_cpp, node.elts))}}}"
    if isinstance(node, ast.UnaryOp):
        return f"({_SYMBOLS[type(node.op)]}{_cpp(node.operand)})"
    if isinstance(node, ast.BinOp):
        return f"({_cpp(node.left)} {_SYMBOLS[type(node.op)]} {_cpp(node.right)})"
    if isinstance(node, ast.Compare):
        return f"({_cpp(node.left)} {_SYMBOLS[type(node.ops[0])]} {_cpp(node.comparators[0])})"
    if isinstance(node.func, ast.Call):
        return f"{_cpp(node.func)}()"
    name, values = node.func.id, list(map(_cpp, node.args))
    if name == "around":
        return f"around<{values[1]}>({values[0]})"
    if name == "at":
        return f"at<{', '.join(map(ast.unparse, node.args[1:]))}>({values[0]})"
    if name == "convert":
        return f"convert<{node.args[1].value}>({values[0]})"
    if name == "boundary":
        return f"boundary{{{', '.join(f'.{k.arg} = {_cpp(k.value)}' for k in node.keywords)}}}"
    return f"{name}({', '.join(values)})"
