// SPDX-License-Identifier: Apache-2.0
// The Pareto explorer: filters decide which points are drawn and listed. Only one size of operation, and one device,
// is drawn at a time, so that figures on an axis can be compared.
"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const by = (id) => document.getElementById(id);
  const AREAS = { lut: "LUTs", dsp: "multipliers", share: "largest share of the device, %", um2: "area, µm²" };
  const VIEWS = {
    latency: { y: "us", name: "latency, µs", more: false },
    rate: { y: "rate", name: "operations per second", more: true },
    cycles: { y: "cycles", name: "latency, cycles", more: false },
    energy: { x: "us", xName: "delay, µs", y: "nj", name: "energy, nJ", more: false },
  };
  const LOOK = { measured: "", "multiplier alone": "-open", predicted: "-open-dot", "multiplier alone, predicted": "-open-dot" };
  const BASES = Object.keys(LOOK).filter((one) => data.points.some((point) => point.basis === one));
  const guessed = (basis) => basis.endsWith("predicted");
  const LARGE = 1000;  // from here on numbers are integers: four digits would round a count
  const rounded = (value) => Math.abs(value) >= LARGE ? Math.round(value) : Number(value.toPrecision(4));
  const number = (value) => value == null ? "–" : rounded(value).toLocaleString("en");

  const view = () => VIEWS[by("view").value];
  const checked = (id) => new Set([...by(id).querySelectorAll("input:checked")].map((one) => one.value));
  const xOf = (one) => view().x ? one[view().x] : by("area").value === "share" ? one.share * 100 : one[by("area").value];
  const xKnown = (one) => view().x ? one[view().x] != null : one[by("area").value] != null;
  const yOf = (one) => one[view().y];

  // What was wished for is kept apart from what is offered: it holds again as soon as it is offered again.
  const wishes = { size: ["rsa-crt-1024", "mul-256"], device: [], area: ["lut"] };
  const ticks = { basis: new Map(), families: new Map(), targets: new Map() };

  function options(id, entries) {
    by(id).replaceChildren(...entries.map(([value, text]) => new Option(text, value)));
    const wish = wishes[id].find((one) => entries.some(([value]) => value === one));
    if (wish) by(id).value = wish;
  }

  // Entries are a value, its colour if it has one, and how many points it has if that is told.
  function boxes(id, entries, on) {
    by(id).querySelectorAll("label").forEach((one) => one.remove());
    for (const [value, colour, count] of entries) {
      const label = document.createElement("label");
      const input = Object.assign(document.createElement("input"), { type: "checkbox", value });
      input.checked = ticks[id].get(value) ?? on(value);
      label.append(input);
      if (colour) {
        const swatch = document.createElement("span");
        swatch.className = "swatch";
        swatch.style.background = colour;
        label.append(swatch);
      }
      label.append(count == null ? value : `${value} (${count})`);
      if (count === 0) label.className = "none";
      by(id).append(label);
    }
  }

  // What can be chosen depends on what was chosen before it: no choice leads to an empty chart by itself. All
  // bases are always offered, each with its number of points: operations and devices depend on them.
  function choices() {
    const figure = view();
    const basis = new Set(BASES.filter((one) => ticks.basis.get(one) ?? !guessed(one)));
    const known = data.points.filter((one) => one[figure.y] != null && (!figure.x || one[figure.x] != null));
    const based = known.filter((one) => basis.has(one.basis));
    const drawable = based.length ? based : known;
    options("size", Object.entries(data.sizes).filter(([key]) => drawable.some((one) => one.size === key)));
    const sized = (one) => one.size === by("size").value;
    const devices = new Set(drawable.filter(sized).map((one) => one.device));
    options("device", Object.entries(data.devices).filter(([key]) => devices.has(key)));
    const here = (one) => sized(one) && one.device === by("device").value;
    const left = based.filter(here);
    by("area").disabled = Boolean(figure.x);
    options("area", Object.entries(AREAS).filter(([key]) => drawable.some((one) => here(one) && one[key] != null)));
    const count = (value) => known.filter((one) => here(one) && one.basis === value).length;
    boxes("basis", BASES.map((one) => [one, "", count(one)]), (one) => !guessed(one));
    boxes("targets", [...new Set(left.map((one) => one.target))].sort().map((one) => [one]), () => true);
    const families = Object.entries(data.families).filter(([name]) => left.some((one) => one.family === name));
    boxes("families", families.map(([name, [colour]]) => [name, colour]), () => true);
    return left;
  }

  // A point is on the front if no other one is at least as good in both figures and better in one.
  function front(points) {
    const cost = (one) => [xOf(one), view().more ? -yOf(one) : yOf(one)];
    const beats = ([a, b], [c, d]) => a <= c && b <= d && (a < c || b < d);
    return points.filter((one) => !points.some((other) => beats(cost(other), cost(one)))).sort((a, b) => xOf(a) - xOf(b));
  }

  // A point that was measured has a row of its own on the page of its family.
  const place = (one) => guessed(one.basis) ? "" : `#${one.target}-${one.core.replace(":", "-")}-${one.part}`;
  const page = (one) => data.pages[one.family] + place(one);
  const said = (one) => [
    `<b>${one.core}</b> (${one.part}) on ${one.target}`,
    `${one.basis}${one.seeds ? `, ${one.seeds} seed${one.seeds > 1 ? "s" : ""}` : ""}${one.from ? `, from ${one.from}` : ""}`,
    [["LUT", one.lut], ["multipliers", one.dsp], ["µm²", one.um2], [one.placed ? `MHz (${number(one.placed)} placed)` : "MHz", one.mhz], ["µs", one.us], ["per second", one.rate], ["nJ", one.nj]]
      .filter(([, value]) => value != null).map(([name, value]) => `${number(value)} ${name}`).join(", "),
    one.command,
  ].join("<br>");

  function traces(points, best) {
    const groups = new Map();
    for (const one of points) {
      const name = one.basis === "measured" ? one.family : `${one.family}, ${one.basis}`;
      if (!groups.has(name)) groups.set(name, []);
      groups.get(name).push(one);
    }
    const shown = [...groups].map(([name, members]) => ({
      type: "scatter", mode: "markers", name,
      x: members.map(xOf), y: members.map(yOf), customdata: members.map(page),
      text: members.map(said), hovertemplate: "%{text}<extra></extra>",
      marker: { color: data.families[members[0].family][0], symbol: data.families[members[0].family][1] + LOOK[members[0].basis], size: 12 },
    }));
    return [{
      type: "scatter", mode: "lines", name: "front", x: best.map(xOf), y: best.map(yOf), hoverinfo: "skip",
      line: { dash: "dot", width: 1.5, color: "#888888" },
    }, ...shown];
  }

  function list(points, best) {
    const columns = [
      ["", (one) => best.has(one) ? "★" : ""], ["core", null], ["part", (one) => one.part], ["target", (one) => one.target],
      ["basis", (one) => one.basis], ["LUT", (one) => one.lut, 1], ["multipliers", (one) => one.dsp, 1], ["µm²", (one) => one.um2, 1],
      ["cycles", (one) => one.cycles, 1], ["µs", (one) => one.us, 1], ["per second", (one) => one.rate, 1], ["nJ", (one) => one.nj, 1],
      ["command", (one) => one.command, 0, "command"],
    ].filter(([, get, numeric]) => !numeric || points.some((one) => get(one) != null));
    const cell = (tag, text, numeric, kind = "") => {
      const made = document.createElement(tag);
      made.className = numeric ? "number" : kind;
      made.append(text);
      return made;
    };
    const head = document.createElement("tr");
    head.append(...columns.map(([name, , numeric]) => cell("th", name, numeric)));
    by("points").tHead.replaceChildren(head);
    by("points").tBodies[0].replaceChildren(...points.map((one) => {
      const row = document.createElement("tr");
      if (best.has(one)) row.className = "marked";
      row.append(...columns.map(([name, get, numeric, kind]) => {
        if (name === "core") {
          const link = Object.assign(document.createElement("a"), { href: page(one), textContent: one.core });
          return cell("td", link);
        }
        return cell("td", numeric ? number(get(one)) : get(one), numeric, kind);
      }));
      return row;
    }));
  }

  function update() {
    const left = choices();
    const [targets, families] = ["targets", "families"].map(checked);
    const points = left.filter((one) => xKnown(one) && targets.has(one.target) && families.has(one.family));
    points.sort((a, b) => xOf(a) - xOf(b));
    const best = front(points);
    list(points, new Set(best));
    const title = by("size").selectedOptions[0]?.text ?? "";
    const count = left.length
      ? `${points.length} of ${left.length} points drawn, ${best.length} on the front.` : "no basis is chosen that has a point.";
    by("summary").textContent = `${title} on ${by("device").selectedOptions[0]?.text ?? "no device"}: ${count}`;
    const xName = view().x ? view().xName : AREAS[by("area").value] ?? "area";
    const figure = {
      data: traces(points, best),
      layout: {
        height: 520, hovermode: "closest",
        xaxis: { title: { text: xName }, type: points.every((one) => xOf(one) > 0) ? "log" : "linear" },
        yaxis: { title: { text: view().name }, type: "log" },
      },
    };
    perleCharts.draw(by("pareto"), figure);
  }

  by("filters").addEventListener("change", ({ target }) => {
    const group = target.closest("fieldset");
    if (group) ticks[group.id].set(target.value, target.checked);
    else if (target.id in wishes) wishes[target.id] = [target.value, ...wishes[target.id]];
    update();
    // The boxes were made anew: whoever uses the keyboard is still at the same one.
    if (group) [...by(group.id).querySelectorAll("input")].find((one) => one.value === target.value)?.focus();
  });
  by("filters").addEventListener("submit", (event) => event.preventDefault());
  for (const [id, on] of [["all", true], ["none", false]]) {
    by(id).addEventListener("click", () => {
      Object.keys(data.families).forEach((name) => ticks.families.set(name, on));
      update();
    });
  }
  update();
  by("pareto").on("plotly_click", (event) => { window.location.href = event.points[0].customdata; });
  document.addEventListener("perle-theme", update);
})();
