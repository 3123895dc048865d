// A page about many motions: maps, sweeps, tuning, singularities.
import "../style.css";
import "./study.css";
import { byId, element } from "../dom";
import { onPaper } from "../paper";
import { Themes } from "../theme";
import { addCards, addModel } from "./cards";
import { Choices } from "./choices";
import { Chosen } from "./chosen";
import { embeddedStudy, StudyTable } from "./document";
import { Figure } from "./figure";
import { Legend } from "./legend";
import { StudyState } from "./state";

const study = embeddedStudy();
document.title = `${study.model.name}: ${study.verb} – Armature`;
const themes = new Themes();
const table = new StudyTable(study);

byId("header").append(
  element("h1", {}, study.model.name),
  element("span", { class: "verb" }, study.verb),
  element("span", { class: `status ${study.status}` }, study.status),
  element("span", { class: "made" }, `Armature ${study.armature}`),
  element(
    "button",
    { type: "button", title: "switch between light and dark", "aria-label": "switch between light and dark", class: "theme", click: () => themes.toggle() },
    "◐",
  ),
);
byId("sentence").textContent = study.sentence;
addCards(study, byId("cards"));
addModel(study, byId("model"));

if (table.rows > 0 && table.results.length > 0) {
  const state = new StudyState(table);
  new Choices(state, byId("choices"));
  const figure = new Figure(state, byId("figure"), themes.current);
  const legend = new Legend(state, figure, byId("legend"));
  new Chosen(study, figure, byId("pressed"));
  onPaper();
  themes.onChange((theme) => {
    figure.setTheme(theme);
    legend.update();
  });
  Object.assign(window, { armature: { study, state, figure } }); // for tests and the console
} else byId("figure").append(element("p", { class: "message" }, "There is nothing to draw."));
