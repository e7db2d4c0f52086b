// The dialog that asks for a month.

import { find, monthText } from "./dom.js";

/** Calls `go` with the month that the reader chose. Returns the function that opens the dialog. */
export function startDateDialog(timeline, go) {
  const dialog = find("dialog.date");
  const field = find("input", dialog);
  const button = find("[data-action=date]");
  const open = () => {
    const months = timeline()?.isDated ? timeline().months.map((one) => one.month).sort() : [];
    if (months.length === 0) return;
    field.min = months[0];
    field.max = months.at(-1);
    field.value ||= field.max;
    find(".range", dialog).textContent = monthText(field.min, field.max);
    dialog.showModal();
    field.select();
  };
  button.hidden = false;
  button.addEventListener("click", open);
  dialog.addEventListener("close", () => {
    if (dialog.returnValue === "go" && /^\d{4}-\d\d$/.test(field.value)) go(field.value);
  });
  return open;
}
