import { type PackageFacts, pinsOf } from '@moorage/contracts';
import { type ImagePin, imagePin } from '@moorage/domain';

/** An image of a release, under the name by which templates use it. */
export interface PinnedImage {
  readonly name: string;
  readonly image: string;
  readonly pin: ImagePin;
}

/** Returns the images of a release. Pins of other versions, such as those of plugins, are left out. */
export function imagesOf({ releases }: Pick<PackageFacts, 'releases'>, version: string): PinnedImage[] {
  return Object.entries(pinsOf(releases, version)).flatMap(([name, image]) => {
    const pin = name.endsWith('_IMAGE') ? imagePin(image) : null;
    return pin === null ? [] : [{ name, image, pin }];
  });
}
