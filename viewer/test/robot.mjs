// A report of the controlled robot, which tests of pages share, and how they save what it gives away.
import { readFileSync } from "node:fs";
import { make, open } from "./browser.mjs";

let opened;
// Opened once; back at its beginning whenever it is asked for.
export async function report() {
  if (!opened) {
    opened = await open(make("run", "rrr_pd", "rrr_pd", "--end", "1", "--result", "peak=max(motor1.current)"), { acceptDownloads: true });
    await opened.page.waitForSelector(".uplot");
  }
  await opened.page.evaluate(() => {
    const { player, plots } = window.armature;
    player.pause();
    player.seek(0);
    plots.resetRange();
    plots.setMark(null);
    window.scrollTo(0, 0);
  });
  return opened;
}

// What a button of a menu saves.
export async function saved(page, menu, button) {
  await menu.locator("summary").click();
  const [file] = await Promise.all([page.waitForEvent("download"), menu.locator("button", { hasText: button }).click()]);
  return { name: file.suggestedFilename(), bytes: readFileSync(await file.path()) };
}
