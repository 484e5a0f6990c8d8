// Which theme does the reader want? A classic script in the head, so that no page flashes in the wrong one.
(() => {
  try {
    const chosen = localStorage.getItem("course-theme");
    if (chosen === "light" || chosen === "dark") document.documentElement.dataset.theme = chosen;
  } catch {
    // Storage is closed: the system's theme it is.
  }
})();
