import { imagePin } from '@moorage/domain';
import type { Rollout } from '../../data/updates';
import { useText } from '../../texts/console-i18n';
import { Instant } from '../../ui/instant';

type Image = Rollout['images'][number];

/** Lists the results of comparing a package's images with their registries. */
export function ImageNotes({ versions }: { versions: readonly Rollout[] }) {
  const t = useText();
  // The newest version comes first, and only it reports newer tags.
  const all = versions.flatMap(({ images }) => images);
  const found = all.filter(({ image }, index) => all.findIndex((other) => other.image === image) === index);
  const checkedAt = found.flatMap(({ checked_at: at }) => at ?? []).sort();
  const notes = found.flatMap((image) => notesOf(image).map((note) => ({ ...image, note })));
  if (found.length === 0) return null;
  return (
    <div className="pad small">
      {notes.length === 0 ? null : (
        <ul>
          {notes.map(({ image, newest, note }) => (
            <li key={`${note} ${image}`} className={note === 'unreachable' ? 'muted' : undefined}>
              {t(`updates.rollout.image.${note}`, { image, newest: `${shortName(image)} ${newest ?? ''}` })}
            </li>
          ))}
        </ul>
      )}
      {checkedAt[0] === undefined ? null : (
        <p className="muted">
          {t('updates.rollout.image.checked')} <Instant iso={checkedAt[0]} />
        </p>
      )}
    </div>
  );
}

function notesOf({ newest, is_withdrawn, was_moved, is_unreachable }: Image) {
  return [
    ...(is_withdrawn ? (['withdrawn'] as const) : []),
    ...(was_moved ? (['moved'] as const) : []),
    ...(newest === null ? [] : (['newer'] as const)),
    ...(is_unreachable ? (['unreachable'] as const) : []),
  ];
}

const shortName = (image: string): string => imagePin(image)?.repository.split('/').at(-1) ?? image;
