import type { ImageExample, ImageProgress } from '../../images/index.ts';
import type { ImageCounts } from '../../model/index.ts';

/** Callbacks about the check of images. */
export interface ImagesWatcher {
  /** Called once, when the check begins. The progress object is updated as it proceeds. */
  checkingImages?(progress: ImageProgress): void;
  /** Called when all were asked, before anything is sent. `examples`: some that are not fine. */
  imagesChecked?(counts: ImageCounts, examples: readonly ImageExample[]): void;
}
