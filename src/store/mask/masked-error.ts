/**
 * Hides secrets in message, hints and stack of an error: runs keep them in the ledger and in reports. The error stays
 * the same object, since code that stops a run compares errors by identity.
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
