import { countOf, grouped, IMAGE_VERDICTS, type ImageCounts, type ImageVerdict } from '../model/index.ts';

/** Words for the verdicts about images, in sentences. */
export const IMAGE_WORDS: Readonly<Record<ImageVerdict, string>> = {
  ok: 'fine',
  dead: 'dead',
  private: 'private',
  'not-an-image': 'not an image',
  'too-large': 'too large',
  'needs-login': 'not public',
  unknown: 'not certain',
};

/** `9,800 addresses; 9,500 fine (1,200 of them by an earlier run), 300 dead` */
export function imageText({ addresses, remembered, verdicts }: ImageCounts): string {
  if (addresses === 0) return 'the records have none';
  const earlier = remembered === 0 ? '' : ` (${grouped(remembered)} of them by an earlier run)`;
  const counts = IMAGE_VERDICTS.flatMap((word) =>
    verdicts[word] ? [`${grouped(verdicts[word])} ${IMAGE_WORDS[word]}${word === 'ok' ? earlier : ''}`] : [],
  );
  return `${countOf(addresses, 'address', 'addresses')}; ${counts.join(', ')}`;
}
