/** `Théière en fonte 0,8 l` → `theiere-en-fonte-0-8-l`. Letters of other scripts stay; `!!!` has no slug. */
export function slugOf(name: string): string {
  return name
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '');
}
