// Recorded exchanges work as they are; this lets partners light up and shows the raw line.
import { enhance } from "./exchange-view.js";
for (const list of document.querySelectorAll(".exchange .messages")) enhance(list);
