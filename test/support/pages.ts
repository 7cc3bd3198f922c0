/** Reads all pages. */
export async function pagesOf<Page>(pages: AsyncIterable<Page>): Promise<Page[]> {
  const read: Page[] = [];
  for await (const page of pages) read.push(page);
  return read;
}

/** Reads the records of all pages. */
export async function allOf<Each>(pages: AsyncIterable<readonly Each[]>): Promise<Each[]> {
  return (await pagesOf(pages)).flat();
}
