import { type Rollout, useRollouts } from '../../data/updates';
import { AdminOnly } from '../../parts/admin-only';
import { useText } from '../../texts/console-i18n';
import { Loaded, SectionCard } from '../../ui/card';
import { useTitle } from '../../ui/use-title';
import { ImageNotes } from './image-notes';
import { RolloutTable } from './rollout-table';

/** Versions of all packages for administrators, with whom they are offered to. */
export default function ReleasesPage() {
  const t = useText();
  useTitle(t('updates.rollout.title'));
  return (
    <AdminOnly>
      <main className="main" id="content" tabIndex={-1}>
        <div className="title">
          <h1 className="grow">{t('updates.rollout.title')}</h1>
        </div>
        <Packages />
      </main>
    </AdminOnly>
  );
}

function Packages() {
  const t = useText();
  const rollouts = useRollouts();
  return (
    <Loaded query={rollouts} failed={t('updates.rollout.failed')}>
      {(found) => (
        <div className="stack">
          {[...byPackage(found)].map(([name, versions]) => (
            <SectionCard key={name} id={`releases-${name}`} title={versions[0]?.package_name ?? name}>
              <RolloutTable label={versions[0]?.package_name ?? name} versions={versions} />
              <ImageNotes versions={versions} />
            </SectionCard>
          ))}
        </div>
      )}
    </Loaded>
  );
}

function byPackage(rollouts: readonly Rollout[]): ReadonlyMap<string, readonly Rollout[]> {
  const found = new Map<string, Rollout[]>();
  for (const rollout of rollouts) found.set(rollout.package, [...(found.get(rollout.package) ?? []), rollout]);
  return found;
}
