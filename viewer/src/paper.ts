// Before and after printing. On paper everything is open.
export function onPaper(begin: () => void = () => {}, end: () => void = () => {}): void {
  const closed: HTMLDetailsElement[] = []; // that are opened for paper only
  window.addEventListener("beforeprint", () => {
    if (document.body.classList.contains("on-paper")) return;
    document.body.classList.add("on-paper");
    for (const details of document.querySelectorAll<HTMLDetailsElement>("details.plot:not(.builder), details.card"))
      if (!details.open && !details.closest("#compute")) {
        details.open = true;
        closed.push(details);
      }
    begin();
  });
  window.addEventListener("afterprint", () => {
    document.body.classList.remove("on-paper");
    for (const details of closed.splice(0)) details.open = false;
    end();
  });
}
