"""How Sphinx makes the site from docs/: `make docs`."""

import os
import re
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from sunglade import __version__

if TYPE_CHECKING:
    from sphinx.application import Sphinx

HERE = Path(__file__).parent
ROOT = HERE.parent
sys.path.insert(0, str(HERE))
os.environ["SUNGLADE_DATA"] = "~/.local/share/sunglade"  # help names it: not that of the machine which builds the site

project = "Sunglade"
author = "The Sunglade contributors"
copyright = "2026, The Sunglade contributors"
version = release = __version__

extensions = ["myst_parser", "sphinx.ext.autodoc", "generated"]
exclude_patterns = ["_static"]
nitpicky = False  # types in signatures are told, not linked

# Pages are plain Markdown, so that a code host shows them too; only index.md and reference/ use Sphinx's directives.
myst_heading_anchors = 4
myst_enable_extensions = ["colon_fence"]
myst_disable_syntax = ["myst_line_comment", "myst_block_break", "myst_target"]  # a line may begin with "% of the games"
smartquotes = False  # pages have the quotes they mean

# Docstrings have code in single backticks.
default_role = "code"
autodoc_member_order = "bysource"
autodoc_typehints_format = "short"
autodoc_preserve_defaults = True
autodoc_type_aliases = {"ArrayLike": "ArrayLike", "Policy": "Policy"}  # by name: written out they fill half a page
autodoc_mock_imports = ["jax"]  # not needed to tell what a page says of it
python_use_unqualified_type_names = True
add_module_names = False

html_theme = "furo"
html_title = "Sunglade"
html_favicon = html_logo = str(ROOT / "web" / "public" / "icon.svg")
html_static_path = ["_static"]
html_css_files = ["fonts.css", "site.css"]
html_copy_source = False
html_show_sourcelink = False
highlight_language = "text"
pygments_dark_style = "a11y-high-contrast-dark"  # Furo's own underlines what is imported

FONTS = ROOT / "web" / "src" / "fonts.css"
FONT_FILES = ROOT / "web" / "node_modules"
STYLE = (ROOT / "web" / "src" / "app.css").read_text(encoding="utf-8")

# Furo's names of colours, and the client's.
COLOURS = {
    "color-background-primary": "card",
    "color-background-secondary": "paper",
    "color-background-hover": "card-2",
    "color-background-hover--transparent": "card",
    "color-background-border": "line",
    "color-background-item": "line",
    "color-foreground-primary": "ink",
    "color-foreground-secondary": "muted",
    "color-foreground-muted": "muted",
    "color-foreground-border": "faint",
    "color-brand-primary": "accent",
    "color-brand-content": "accent",
    "color-brand-visited": "accent-2",
    "color-api-name": "accent",
    "color-api-pre-name": "muted",
    "color-highlight-on-target": "card-2",
    "color-highlighted-background": "gold",
    "color-highlighted-text": "gold-ink",
    "color-inline-code-background": "card-2",
    "color-code-background": "card-2",
    "color-table-header-background": "card-2",
    "color-table-border": "line",
    "color-card-border": "line",
    "color-card-background": "card",
    "color-card-marginals-background": "card-2",
}
FONT = {"font-stack": '"Rubik Variable", system-ui, sans-serif'}


def colours_of_the_client(block: str) -> dict[str, str]:
    """The client's colours, as its style has them, by Furo's names."""
    told = dict(re.findall(r"--([\w-]+): (#\w+);", STYLE.split(f"{block} {{", 1)[1].split("}", 1)[0]))
    return {name: told[own] for name, own in COLOURS.items()}


html_theme_options = {
    "light_css_variables": colours_of_the_client(":root") | FONT,
    "dark_css_variables": colours_of_the_client(':root[data-theme="dark"]'),
}

# The long tables of environments.md have pages of their own on the site.
TABLES = {
    "planes": "(reference/observations.md#planes): what each plane tells",
    "numbers": "(reference/observations.md#numbers): what each number tells",
    "actions": "(reference/actions.md#all-of-them): every action",
}

# Pages of the repository's root, and their places on the site.
AT_ROOT = {f"project/{name.lower()}": f"{name}.md" for name in ("CHANGELOG", "CONTRIBUTING", "SECURITY")}


def bring_pages_of_the_root(app: "Sphinx", page: str, source: list[str]) -> None:
    """Put a page of the repository's root in its place, and let links lead there."""
    if page in AT_ROOT:
        file = ROOT / AT_ROOT[page]
        app.env.note_dependency(str(file))
        source[0] = re.sub(r"\]\((?=[A-Z]+\.md)", "](../../", file.read_text("utf-8")).replace("](docs/", "](../")
    for place, name in AT_ROOT.items():
        source[0] = re.sub(rf"\]\((?:\.\./)+{re.escape(name)}", f"](/{place}.md", source[0])


def give_tables_their_pages(_: "Sphinx", page: str, source: list[str]) -> None:
    """Let a link stand for a table that is made from the code and has a page of its own."""
    if page == "environments":
        for name, link in TABLES.items():
            table = re.compile(f"<!-- table: {name} -->.*?<!-- end of table -->", re.DOTALL)
            source[0] = table.sub(f"➜ [The table]{link}.", source[0], count=1)


def keep_code_of_docstrings(
    _: "Sphinx", kind: str, name: str, thing: object, options: object, lines: list[str]
) -> None:
    """Lines that a docstring sets in are code: reStructuredText would show a quotation."""
    shown: list[str] = []
    for line in lines:
        sets_in = line.startswith("    ") and not (shown and shown[-1].startswith("    "))
        if sets_in and (not shown or not shown[-1].strip()):
            shown += [".. code-block:: python", ""]
        shown.append(line)
    lines[:] = shown


# What a signature is written out as, and what the sources call it. "~" is for Sphinx: the name without its module.
NAMES_OF_TYPES = {
    r"~?numpy\.ndarray\[tuple\[~?typing\.Any, \.\.\.\], ~?numpy\.dtype\[(~?[\w.]+)\]\]": r"NDArray[\1]",
    r"TypeAliasForwardRef\('(\w+)'\)": r"\1",
}


def name_types_as_the_sources_do(
    _: "Sphinx", kind: str, name: str, thing: object, options: object, signature: str | None, answer: str | None
) -> tuple[str | None, str | None]:
    """Arrays of any shape, and types that have a name of ours, are written out by Python."""
    for written, ours in NAMES_OF_TYPES.items():
        signature, answer = (text and re.sub(written, ours, text) for text in (signature, answer))
    return signature, answer


def bring_the_fonts(app: "Sphinx") -> None:
    """Put the client's fonts beside the pages, with the style that names them."""
    static = Path(app.doctreedir) / "static"
    (static / "fonts").mkdir(parents=True, exist_ok=True)
    style = FONTS.read_text(encoding="utf-8")
    for file in re.findall(r'url\("(.+?)"\)', style):
        shutil.copyfile(FONT_FILES / file, static / "fonts" / Path(file).name)
        style = style.replace(file, f"fonts/{Path(file).name}")
    (static / "fonts.css").write_text(style, encoding="utf-8")
    app.config.html_static_path.append(str(static))


def setup(app: "Sphinx") -> None:
    """Called by Sphinx."""
    app.connect("source-read", bring_pages_of_the_root)
    app.connect("source-read", give_tables_their_pages)
    app.connect("autodoc-process-docstring", keep_code_of_docstrings)
    app.connect("autodoc-process-signature", name_types_as_the_sources_do)
    app.connect("builder-inited", bring_the_fonts)
