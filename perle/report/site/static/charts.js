// SPDX-License-Identifier: Apache-2.0
// Draws every chart whose data a page has, in the page's colours, and again when those change.
"use strict";
const perleCharts = (() => {
  const NARROW = 600;
  const narrow = () => window.innerWidth < NARROW;
  // No buttons on a phone: they would lie on the legend, and fingers zoom without them.
  const config = () => ({
    responsive: true, displaylogo: false, displayModeBar: narrow() ? false : "hover",
    modeBarButtonsToRemove: ["lasso2d", "select2d"],
  });

  function layout(own) {
    const style = getComputedStyle(document.documentElement);
    const [text, line, card] = ["--text", "--line", "--card"].map((name) => style.getPropertyValue(name).trim());
    const axis = { gridcolor: line, zerolinecolor: line, linecolor: line, automargin: true };
    return {
      ...own,
      paper_bgcolor: card, plot_bgcolor: card,
      font: { color: text, size: narrow() ? 11 : 13 },
      hoverlabel: { bgcolor: card, bordercolor: line, font: { color: text }, align: "left" },
      // The legend is between the buttons, at the top, and the chart: below it would lie on the axis.
      margin: { l: narrow() ? 45 : 60, r: narrow() ? 10 : 20, t: narrow() ? 30 : 64, b: 50 },
      legend: { orientation: "h", x: 0, y: 1, yanchor: "bottom" },
      xaxis: { ...axis, ...own.xaxis }, yaxis: { ...axis, ...own.yaxis },
      shapes: (own.shapes || []).map((one) => ({ ...one, line: { ...one.line, color: text, width: 1 } })),
    };
  }

  const wrapped = (label, most) => {
    const rows = [""];
    for (const word of label.split(" ")) {
      if ((rows.at(-1) + word).length > most && rows.at(-1)) rows.push("");
      rows[rows.length - 1] += `${word} `;
    }
    return rows.map((row) => row.trim()).join("<br>");
  };

  // Labels of rows take lines of their own where they would leave no room for the chart; a row is as high as the
  // longest of them.
  function fit(figure) {
    if (figure.layout.yaxis?.type !== "category") return figure;
    const [most, line] = narrow() ? [20, 12] : [50, 16];
    const data = figure.data.map((trace) => ({ ...trace, y: trace.y.map((label) => wrapped(label, most)) }));
    const labels = [...new Set(data.flatMap((trace) => trace.y))];
    const lines = Math.max(...labels.map((label) => label.split("<br>").length));
    const yaxis = { ...figure.layout.yaxis, ...(narrow() ? { tickfont: { size: 10 } } : {}) };
    if (yaxis.categoryarray) yaxis.categoryarray = yaxis.categoryarray.map((label) => wrapped(label, most));
    const height = Math.max(figure.layout.height, 130 + (line * lines + 10) * labels.length);
    return { data, layout: { ...figure.layout, yaxis, height } };
  }

  // Over more than a decade a logarithmic axis has no room for all digits: 1, 2 and 5 remain.
  function sparse(figure, name) {
    const axis = figure.layout[`${name}axis`];
    const values = figure.data.flatMap((trace) => trace[name]).filter((one) => one > 0);
    if (axis?.type !== "log" || Math.max(...values) < 10 * Math.min(...values)) return axis;
    return { ...axis, dtick: "D2" };
  }

  // A legend of several lines gets room of its own, known when it is drawn: below the buttons, above the chart.
  function room(place, shown) {
    const legend = place.querySelector(".legend .bg")?.getBBox().height ?? 0;
    const more = legend + (narrow() ? 10 : 36) - shown.margin.t;
    if (more > 0) Plotly.relayout(place, { "margin.t": shown.margin.t + more, height: shown.height + more });
  }

  function draw(place, figure) {
    const fitted = fit(figure);
    const shown = layout({ ...fitted.layout, xaxis: sparse(fitted, "x"), yaxis: sparse(fitted, "y") });
    return Plotly.react(place, fitted.data, shown, config()).then(() => room(place, shown));
  }

  const drawn = [...document.querySelectorAll("script[data-plot]")].map((script) => [
    document.getElementById(script.dataset.plot), JSON.parse(script.textContent),
  ]);
  const all = () => drawn.forEach(([place, figure]) => draw(place, figure));
  all();
  document.addEventListener("perle-theme", all);
  return { draw };
})();
