/**
 * The files of a drop, those in dropped folders too, each with its path below what was dropped.
 *
 * `file` is null where the browser cannot read it, such as one that was moved away.
 */

export async function droppedFiles(transfer) {
  const entries = [...transfer.items].map((item) => item.webkitGetAsEntry?.()).filter(Boolean);
  if (!entries.length) return [...transfer.files].map((file) => ({ file, path: file.name }));
  const found = await Promise.all(entries.map((entry) => filesBelow(entry)));
  return found.flat();
}

async function filesBelow(entry) {
  const path = entry.fullPath.replace(/^\//, "");
  try {
    if (entry.isFile) return [{ file: await new Promise((resolve, reject) => entry.file(resolve, reject)), path }];
    return await filesIn(entry);
  } catch {
    return [{ file: null, path }];
  }
}

async function filesIn(entry) {
  const reader = entry.createReader();
  const found = [];
  for (let some; (some = await nextEntries(reader)).length; ) found.push(...some);
  const shown = found.filter((one) => !one.name.startsWith("."));
  return (await Promise.all(shown.map((one) => filesBelow(one)))).flat();
}

/** A folder gives its entries in parts. */
function nextEntries(reader) {
  return new Promise((resolve, reject) => reader.readEntries(resolve, reject));
}
