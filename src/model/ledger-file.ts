/** The ledger's name in the folder of `--home`. */
export const LEDGER_FILE = 'ledger.db';
