"""What the site changes in the pages, which are written for GitHub: formulas, and links to files that are not pages."""

import os
import re

from mkdocs.structure.files import File

KATEX = "/usr/share/javascript"
FILES = ("katex.min.css", "katex.min.js", "auto-render.js")

# Formulas are found by the classes that pymdownx.arithmatex gives them.
FORMULAS = """document.querySelectorAll(".arithmatex").forEach(function (element) {
  renderMathInElement(element, {delimiters: [
    {left: "\\\\(", right: "\\\\)", display: false}, {left: "\\\\[", right: "\\\\]", display: true}]});
});
"""


def on_files(files, config):
    """KaTeX and its fonts come from Debian's package; what draws the pictures is not published."""
    for file in list(files):
        if file.src_uri.startswith("pictures/"):
            files.remove(file)
    for folder, _, names in os.walk(os.path.join(KATEX, "katex"), followlinks=True):
        for name in names:
            if name in FILES or name.endswith((".woff2", ".ttf")):
                path = os.path.relpath(os.path.join(folder, name), KATEX)
                files.append(File(path, KATEX, config["site_dir"], False))
    return files


def on_page_markdown(markdown, page, **_):
    """$`…`$ is GitHub's spelling of a formula with characters that Markdown would take; links that leave docs/ become text."""
    page.title = page.title.replace("`", "")
    markdown = re.sub(r"\$`([^`]*)`\$", lambda match: "$" + match[1] + "$", markdown)
    depth = page.file.src_uri.count("/")
    return re.sub(r"\[([^\]]*)\]\(" + r"\.\./" * (depth + 1) + r"[^)]*\)", r"`\1`", markdown)


def on_post_build(config):
    with open(os.path.join(config["site_dir"], "formulas.js"), "w") as file:
        file.write(FORMULAS)
