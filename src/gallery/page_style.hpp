// Colors, spaces and the few lines of script of the gallery's page, light and dark as the reader's system asks. Pictures are drawn on white; in the
// dark they are inverted, their hues kept, but for maps, whose colors are values.
#pragma once

namespace armature::internal::gallery {

inline constexpr const char* page_style = R"(
:root { color-scheme: light dark; --text: #1c1c1c; --ground: #ffffff; --card: #f6f7f8; --line: #d5d8dc; --soft: #5a6068;
  --link: #0b5cad; --good: #1a6b3c; --part: #8a5a00; --not: #6a3d9a; --failed: #c00000; }
@media (prefers-color-scheme: dark) {
  :root { --text: #e6e6e6; --ground: #16181b; --card: #1f2226; --line: #3a3f45; --soft: #a3abb5; --link: #7ab8ff;
    --good: #6fd39b; --part: #f0b64c; --not: #c9a6ef; --failed: #ff6b6b; }
  .pictures img { filter: invert(0.9) hue-rotate(180deg); }
  .pictures img.colors { filter: brightness(0.85); }
}
body { margin: 0 auto; padding: 1rem; max-width: 66rem; font: 16px/1.5 system-ui, sans-serif; color: var(--text);
  background: var(--ground); }
a { color: var(--link); }
h2 { margin-top: 3rem; border-bottom: 2px solid var(--line); }
h3 { margin: 0 0 .5rem; font-size: 1.05rem; }
article { background: var(--card); border: 1px solid var(--line); border-radius: 8px; padding: 1rem; margin: 1rem 0; }
.badge { display: inline-block; margin-left: .5rem; padding: 0 .6rem; border: 1.5px solid currentColor; border-radius: 1rem;
  font-size: .85rem; white-space: nowrap; }
.good { color: var(--good); } .part { color: var(--part); } .not { color: var(--not); } .none { color: var(--soft); }
.failed { color: var(--failed); font-weight: bold; }
.source { color: var(--soft); font-size: .9em; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-size: .92rem; }
th { text-align: left; color: var(--soft); font-weight: normal; }
td, th { padding: .25rem .6rem .25rem 0; border-bottom: 1px solid var(--line); vertical-align: top; }
td.number { font-variant-numeric: tabular-nums; white-space: nowrap; }
tr.reason td { color: var(--soft); padding-left: 1rem; border-bottom-width: 2px; }
tr.reason td.failed { color: var(--failed); }
.pictures { display: flex; flex-wrap: wrap; gap: .8rem; margin: .8rem 0; }
.pictures img { flex: 1 1 24rem; min-width: 0; max-width: 40rem; width: 100%; height: auto; border-radius: 6px; align-self: flex-start; }
.animation iframe { width: 100%; height: 44rem; border: 1px solid var(--line); border-radius: 6px; }
details { margin-top: .5rem; } summary { cursor: pointer; color: var(--link); }
pre { overflow-x: auto; font-size: .85rem; }
nav div { margin: .6rem 0; } nav ul { display: flex; flex-wrap: wrap; gap: .3rem .5rem; padding: 0; margin: .2rem 0; list-style: none; }
nav li a { display: inline-block; padding: .1rem .5rem; border: 1px solid currentColor; border-radius: 1rem; font-size: .85rem;
  text-decoration: none; }
nav .good::before { content: "\2713  "; } nav .part::before { content: "\25D0  "; } nav .not::before { content: "\2717  "; }
nav .failed::before { content: "!  "; }
@media (max-width: 40rem) {  /* no room for five columns: a row becomes a list of what it says */
  thead { display: none; }
  tr { display: block; padding: .3rem 0; border-bottom: 1px solid var(--line); }
  td { display: block; border: none; padding: 0; overflow-wrap: anywhere; }
  tr:not(.reason) td:first-child { font-weight: 600; }
  td[data-label]::before { content: attr(data-label) ": "; color: var(--soft); font-weight: normal; }
  td[data-label]:empty { display: none; }
}
.paper { display: inline-block; padding: .1rem 0; font-weight: bold; } footer { margin: 3rem 0 1rem; color: var(--soft); font-size: .9rem; }
)";

// A report is loaded when it is opened, and one at a time: browsers keep few pictures of machines alive.
inline constexpr const char* page_script = R"(
const animations = [...document.querySelectorAll("details.animation")];
for (const each of animations) each.addEventListener("toggle", () => {
  const frame = each.querySelector("iframe");
  if (!each.open) return frame.removeAttribute("src");
  for (const other of animations) if (other !== each) other.open = false;
  frame.src = frame.dataset.src;
});
)";

}  // namespace armature::internal::gallery
