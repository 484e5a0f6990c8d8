// Which language does a visitor of the root read? Whoever came for the choice itself (#choose) gets it.
if (location.hash !== "#choose") {
  const chinese = navigator.languages.find((tag) => /^(zh|en)\b/.test(tag))?.startsWith("zh");
  location.replace(chinese ? "zh/index.html" : "en/index.html");
}
