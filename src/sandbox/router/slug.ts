const ASCII = /^[\x00-\x7f]*$/;
const OTHER = /[^\p{L}\p{N}]+/gu;
const OTHER_ASCII = /[^a-z0-9]+/g;

/** `Théière en fonte 0,8 l` → `theiere-en-fonte-0-8-l`. Letters of other scripts stay; `!!!` has no slug. */
export function slugOf(name: string): string {
  // Taking letters apart costs more than the rest, and most names have none that come apart.
  const isAscii = ASCII.test(name);
  const plain = isAscii ? name : name.normalize('NFKD').replace(/\p{M}+/gu, '');
  return plain
    .toLowerCase()
    .replace(isAscii ? OTHER_ASCII : OTHER, '-')
    .replace(/^-|-$/g, '');
}
