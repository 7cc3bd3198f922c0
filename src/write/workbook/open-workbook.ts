import type { WorkbookFile, WorkbookOptions } from './types.ts';

/** `openWorkbookFile`, with its library loaded only if a workbook is written. */
export async function openWorkbook(path: string, options: WorkbookOptions): Promise<WorkbookFile> {
  const { openWorkbookFile } = await import('./workbook-file.ts');
  return openWorkbookFile(path, options);
}
