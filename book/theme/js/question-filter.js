// How does a reader find the questions that are asked where the interview is? Filters without a reload, kept in the address.
class QuestionFilter extends HTMLElement {
  connectedCallback() {
    this.form = this.querySelector("form");
    this.form.hidden = false;
    const wanted = new URLSearchParams(location.search);
    for (const select of this.form.elements) {
      const value = wanted.get(select.name);
      if (value && [...select.options].some((option) => option.value === value)) select.value = value;
    }
    this.form.addEventListener("change", () => this.apply(true));
    this.form.addEventListener("submit", (event) => event.preventDefault());
    this.apply(false);
    // A link to one question opens it.
    const target = location.hash && this.querySelector(`details[id="${CSS.escape(location.hash.slice(1))}"]`);
    if (target) target.open = true;
  }

  apply(remember) {
    const chosen = Object.fromEntries(new FormData(this.form));
    let shown = 0;
    for (const question of this.querySelectorAll("details.question")) {
      const { use, level, market, topics } = question.dataset;
      const fits =
        (!chosen.use || use === chosen.use) &&
        (!chosen.level || level === chosen.level) &&
        (!chosen.market || market === chosen.market || market === "both") &&
        (!chosen.topic || topics.split(" ").includes(chosen.topic));
      question.hidden = !fits;
      shown += fits ? 1 : 0;
    }
    this.querySelector("[data-count]").textContent = shown;
    if (remember) {
      const query = new URLSearchParams(Object.entries(chosen).filter(([, value]) => value));
      history.replaceState(null, "", query.size ? `?${query}` : location.pathname);
    }
  }
}
customElements.define("question-filter", QuestionFilter);
