// While one writes: a page that reloads when the course was built anew, and shows a fault when it could not be.
import { element } from "./dom.js";
import { words } from "./words.js";

const events = new EventSource("/__reload");
events.addEventListener("reload", () => location.reload());
events.addEventListener("fault", (event) => {
  document.querySelector(".fault-banner")?.remove();
  document.body.append(element("pre", { className: "fault-banner", role: "alert", tabIndex: 0 }, `${words.pageFault}\n\n${event.data}`));
});
