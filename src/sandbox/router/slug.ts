const ASCII = /^[\x00-\x7f]*$/;

/** `Théière en fonte 0,8 l` → `theiere-en-fonte-0-8-l`. Letters of other scripts stay; `!!!` has no slug. */
export function slugOf(name: string): string {
  // Taking letters apart costs more than the rest, and most names have none that come apart.
  const plain = ASCII.test(name) ? name : name.normalize('NFKD').replace(/\p{M}+/gu, '');
  return plain
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '');
}
