/** Text to the clipboard; whether it got there. Over plain http, as in one house, browsers know only the old way. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copiedFromField(text);
  }
}

function copiedFromField(text: string): boolean {
  const place = document.querySelector("dialog[open]") ?? document.body;
  const field = document.createElement("textarea");
  field.value = text;
  field.className = "unseen";
  place.append(field);
  field.select();
  const done = document.execCommand("copy");
  field.remove();
  return done;
}
