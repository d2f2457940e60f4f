// SPDX-License-Identifier: Apache-2.0
// Draws every chart whose data a page has, in the page's colours, and again when those change.
"use strict";
const perleCharts = (() => {
  const config = { responsive: true, displaylogo: false, modeBarButtonsToRemove: ["lasso2d", "select2d"] };

  function layout(own) {
    const style = getComputedStyle(document.documentElement);
    const [text, line, card] = ["--text", "--line", "--card"].map((name) => style.getPropertyValue(name).trim());
    const narrow = window.innerWidth < 600;
    const axis = { gridcolor: line, zerolinecolor: line, linecolor: line, automargin: true };
    return {
      ...own,
      paper_bgcolor: card, plot_bgcolor: card,
      font: { color: text, size: narrow ? 11 : 13 },
      hoverlabel: { bgcolor: card, bordercolor: line, font: { color: text }, align: "left" },
      margin: { l: narrow ? 45 : 60, r: narrow ? 10 : 20, t: 30, b: 50 },
      legend: own.yaxis?.type === "category"
        ? { orientation: "h", x: 0, y: 1, yanchor: "bottom" } : { orientation: "h", y: -0.18, yanchor: "top" },
      xaxis: { ...axis, ...own.xaxis }, yaxis: { ...axis, ...own.yaxis },
      shapes: (own.shapes || []).map((one) => ({ ...one, line: { ...one.line, color: text, width: 1 } })),
    };
  }

  const wrapped = (label) => {
    const rows = [""];
    for (const word of label.split(" ")) {
      if ((rows.at(-1) + word).length > 20 && rows.at(-1)) rows.push("");
      rows[rows.length - 1] += `${word} `;
    }
    return rows.map((row) => row.trim()).join("<br>");
  };

  // Labels of rows take lines of their own on a narrow screen, where they would leave no room for the chart.
  function fit(figure) {
    if (window.innerWidth >= 600 || figure.layout.yaxis?.type !== "category") return figure;
    const data = figure.data.map((trace) => ({ ...trace, y: trace.y.map(wrapped) }));
    const rows = new Set(data.flatMap((trace) => trace.y)).size;
    const yaxis = { ...figure.layout.yaxis, tickfont: { size: 10 } };
    if (yaxis.categoryarray) yaxis.categoryarray = yaxis.categoryarray.map(wrapped);
    return { data, layout: { ...figure.layout, yaxis, height: Math.max(figure.layout.height, 140 + 46 * rows) } };
  }

  function draw(place, figure) {
    const fitted = fit(figure);
    return Plotly.react(place, fitted.data, layout(fitted.layout), config);
  }

  const drawn = [...document.querySelectorAll("script[data-plot]")].map((script) => [
    document.getElementById(script.dataset.plot), JSON.parse(script.textContent),
  ]);
  const all = () => drawn.forEach(([place, figure]) => draw(place, figure));
  all();
  document.addEventListener("perle-theme", all);
  return { draw };
})();
