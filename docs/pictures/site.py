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

# Search where pages are opened from disk. A browser starts no worker there and fetches no file: the worker's script runs in a
# hidden frame instead, and the index is a script.
OFFLINE = """if (location.protocol === "file:") {
  document.write('<script src="' + document.currentScript.src.replace("offline.js", "search/search_index.js") + '"></' + "script>");
  window.Worker = class extends EventTarget {
    constructor(url) {
      super();
      const frame = document.createElement("iframe");
      frame.hidden = true;
      document.body.append(frame);
      const inside = (this.inside = frame.contentWindow);
      inside.postMessage = (data) => this.dispatchEvent(new MessageEvent("message", {data}));
      const script = inside.document.createElement("script");
      this.loaded = new Promise((done) => (script.onload = done));
      script.src = url;
      inside.document.body.append(script);
    }
    postMessage(data) {
      this.loaded.then(() => this.inside.dispatchEvent(new this.inside.MessageEvent("message", {data})));
    }
  };
}
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


def on_post_page(output, **_):
    """Before the scripts of the theme, which start the search."""
    return re.sub(r'<script src="([./]*)assets/javascripts/bundle', r'<script src="\1offline.js"></script>\n\g<0>', output)


def on_post_build(config):
    site = config["site_dir"]
    with open(os.path.join(site, "search", "search_index.json")) as file:
        index = file.read()
    for name, text in (("formulas.js", FORMULAS), ("offline.js", OFFLINE),
                       ("search/search_index.js", f"var __search = {{index: Promise.resolve({index})}};\n")):
        with open(os.path.join(site, name), "w") as file:
            file.write(text)
