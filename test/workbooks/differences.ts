/** Cells that are read otherwise than LibreOffice shows them, on purpose. */
export const DIFFERENCES: readonly { readonly cell: RegExp; readonly why: string }[] = [
  { cell: /numbers\.xlsx Sheet1!I[78]$/, why: 'Excel shows 1.005 as 101 %, by its decimal digits' },
  {
    cell: /numbers\.xlsx Sheet1!G35$/,
    why: 'LibreOffice leaves out the minus sign in a section for other numbers',
  },
  {
    cell: /saved\/texts\.xlsx Sheet1!C3$/,
    why: 'LibreOffice loses the blanks of a result that it saved itself',
  },
];
