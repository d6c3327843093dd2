import { type ImageState, type Instant, iso, isoOrNull } from '@moorage/domain';
import type { Tx } from '@moorage/server';

/** A row of `image_checks`. */
export interface ImageRow extends ImageState {
  readonly image: string;
  /** Newer tag of the same shape. Null if there is none, or if no newest release pins the image. */
  readonly newest: string | null;
}

const READ = `select image, newest, checked_at, is_unreachable, digest, moved_at, missing_from, missing_to
  from image_checks`;

/** Returns the pinned images with the results of their checks. Those that were not checked for the longest time come first. */
export function imageChecks(tx: Tx): Promise<ImageRow[]> {
  return tx.query<ImageRow>(`${READ} order by attempted_at, image`);
}

/** Adds rows for pinned images, and removes those of images that are no longer pinned. */
export async function syncImages(tx: Tx, pinned: readonly string[]): Promise<void> {
  await tx.execute('delete from image_checks where image <> all($1::text[])', [pinned]);
  await tx.execute(
    `insert into image_checks (image, attempted_at) select image, '-infinity' from unnest($1::text[]) image
     on conflict (image) do nothing`,
    [pinned],
  );
}

/** Changes the results for an image, if a release still pins it. */
export async function changeImage(
  tx: Tx,
  image: string,
  change: (before: ImageRow) => ImageRow,
  at: Instant,
): Promise<void> {
  const [before] = await tx.query<ImageRow>(`${READ} where image = $1 for update`, [image]);
  if (before === undefined) return;
  const { newest, checked_at, is_unreachable, digest, moved_at, missing_from, missing_to } = change(before);
  await tx.execute(
    `update image_checks set attempted_at = $2, newest = $3, checked_at = $4, is_unreachable = $5, digest = $6,
       moved_at = $7, missing_from = $8, missing_to = $9
     where image = $1`,
    [
      image,
      iso(at),
      newest,
      isoOrNull(checked_at),
      is_unreachable,
      digest,
      isoOrNull(moved_at),
      isoOrNull(missing_from),
      isoOrNull(missing_to),
    ],
  );
}
