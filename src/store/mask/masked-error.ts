/**
 * Hides secrets in what an error says, and in its stack: runs keep it in the ledger and in reports. The error stays the
 * same object, since who stops a run compares them.
 */
export function maskedError(error: unknown, mask: (text: string) => string): unknown {
  if (typeof error === 'string') return mask(error);
  if (!(error instanceof Error)) return error;
  const { message, hints } = error as Error & { hints?: readonly string[] };
  const shown = mask(message);
  // Reading the stack formats it, so it is read only if something is hidden.
  if (shown !== message) {
    const { stack } = error;
    Object.assign(error, { message: shown, ...(stack && { stack: mask(stack) }) });
  }
  if (hints?.some((hint) => mask(hint) !== hint))
    Object.assign(error, { hints: hints.map((hint) => mask(hint)) });
  return error;
}
