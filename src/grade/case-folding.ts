const DOTLESS = '\u0131';

function foldPart(text: string): string {
  // Lower first, so that capital sharp s becomes ß and then SS; upper expands ß and ligatures; lower again unifies.
  return text
    .toLowerCase()
    .toUpperCase()
    .toLowerCase()
    .replace(/ς/g, 'σ')
    .replace(/i\u0307/g, 'i');
}

/**
 * Unicode full case folding (`ß` is `ss`, final sigma is sigma, ligatures are their letters), with the dot that
 * Turkish capital İ leaves behind removed. The dotless ı stays a letter of its own, as full folding has it.
 */
export function foldCase(text: string): string {
  if (!text.includes(DOTLESS)) return foldPart(text);
  return text.split(DOTLESS).map(foldPart).join(DOTLESS);
}
