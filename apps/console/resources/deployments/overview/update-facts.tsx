import { SECOND_MS } from '@moorage/domain';
import { Archive, ClockAlert, Database, History, Lock, type LucideIcon, Undo2 } from 'lucide-react';
import type { Updates, Version } from '../../../data/updates';
import { useText } from '../../../texts/console-i18n';
import { inLanguage } from '../../../texts/locale';
import { duration } from '../../../ui/dates';

/** Returns the versions that an update brings along, the newest first. */
export const includedIn = ({ newer }: Pick<Updates, 'newer'>, to: Version): Version[] =>
  newer.slice(0, newer.indexOf(to) + 1).reverse();

/** Consequences of an update. */
export function UpdateFacts({ updates, to }: { updates: Updates; to: Version }) {
  const t = useText();
  const migrates = includedIn(updates, to).some((version) => version.migrates);
  const facts: [LucideIcon, string][] = [
    ...(updates.backs_up ? [[Archive, t('updates.fact.backs_up')] as [LucideIcon, string]] : []),
    [ClockAlert, t('updates.fact.unreachable', { duration: duration(updates.unreachable_s * SECOND_MS) })],
    [Database, t(migrates ? 'updates.fact.migrates' : 'updates.fact.stays')],
    [Undo2, t('updates.fact.undone')],
    [Lock, t(updates.backs_up ? 'updates.fact.final_backup' : 'updates.fact.final')],
    ...(updates.ends_undo ? [[History, t('updates.fact.ends_undo')] as [LucideIcon, string]] : []),
  ];
  return (
    <ul className="update-facts">
      {facts.map(([Icon, text]) => (
        <li key={text}>
          <Icon size={16} aria-hidden="true" />
          {text}
        </li>
      ))}
    </ul>
  );
}

/** Changes of a version, a sentence each. */
export function Changes({ version: { changes } }: { version: Version }) {
  return (
    <ul className="changes soft">
      {changes.map((change) => (
        <li key={inLanguage(change)}>{inLanguage(change)}</li>
      ))}
    </ul>
  );
}
