/** Counts images that a mapping leaves out because the file has no web address for them. */
export interface LeftOutImages {
  note(path: string): void;
  warnings(): string[];
}

export function createLeftOutImages(): LeftOutImages {
  let count = 0;
  let example = '';
  return {
    note(path) {
      if (count++ === 0) example = path;
    },
    warnings: () =>
      count === 0
        ? []
        : [
            `${count} ${count === 1 ? 'image was' : 'images were'} left out: the file has paths such as "${example}", and not the ` +
              'address of their folder. Name it with --image-base, such as --image-base https://shop.example.com/media/catalog/product.',
          ],
  };
}
