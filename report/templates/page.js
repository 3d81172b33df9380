"use strict";
(() => {
  const form = document.getElementById("filters");
  const rows = [...document.querySelectorAll("#rows > ul > li")];
  const shown = document.getElementById("shown");
  const texts = new Map();
  const getText = (row) => {
    if (!texts.has(row)) texts.set(row, row.textContent.toLowerCase());
    return texts.get(row);
  };

  function filter() {
    const words = form.elements.text.value.toLowerCase().split(/\s+/).filter(Boolean);
    const selected = ["state", "host", "project"]
      .map((name) => [name, form.elements[name]?.value])
      .filter(([, value]) => value);
    let matching = 0;
    for (const row of rows) {
      const matches =
        selected.every(([name, value]) => row.dataset[name] === value) &&
        words.every((word) => getText(row).includes(word));
      if (row.hidden === matches) row.hidden = !matches;
      matching += matches;
    }
    shown.textContent = `${matching} of ${rows.length} ${rows.length === 1 ? "learning" : "learnings"}, newest change first.`;
  }

  function openTarget() {
    const row = document.getElementById(location.hash.slice(1));
    if (!row || !row.matches("#rows > ul > li")) return;
    row.hidden = false;
    row.querySelector("details")?.setAttribute("open", "");
    row.scrollIntoView();
  }

  if (form) {
    form.hidden = false;
    // Filtering thousands of rows takes a moment and must not block typing.
    let timer;
    form.addEventListener("input", () => {
      clearTimeout(timer);
      timer = setTimeout(filter, rows.length > 500 ? 200 : 0);
    });
    form.addEventListener("submit", (event) => event.preventDefault());
    form.addEventListener("reset", () => setTimeout(filter));
  }
  addEventListener("hashchange", openTarget);
  openTarget();

  // Print all visible details expanded.
  let opened = [];
  addEventListener("beforeprint", () => {
    opened = [...document.querySelectorAll("details:not([open])")];
    opened.forEach((each) => each.setAttribute("open", ""));
  });
  addEventListener("afterprint", () => opened.forEach((each) => each.removeAttribute("open")));
})();
