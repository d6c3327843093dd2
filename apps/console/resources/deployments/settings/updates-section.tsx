import { useState } from 'react';
import type { Deployment } from '../../../data/deployments';
import { type Updates, useUpdates } from '../../../data/updates';
import { LockedButton } from '../../../parts/locked-button';
import { useCanChange } from '../../../data/session';
import { useText } from '../../../texts/console-i18n';
import { Loaded } from '../../../ui/card';
import { weekdayName } from '../../../ui/dates';
import { wordList } from '../../../ui/list-format';
import { useIsVerified } from '../actions';
import { periodTexts } from '../overview/period-text';
import { Section } from '../section';
import type { Details } from '../use-details';
import { hourText, UpdatesForm, WEEK } from './updates-form';

/** Shows which updates are installed automatically and when, with a form to change that. */
export function UpdatesSection({ details: { deployment, isAlive, hasFailed } }: { details: Details }) {
  const t = useText();
  const isShown = isAlive && !hasFailed && deployment.status !== 'DESTROYING';
  const updates = useUpdates(deployment.id, isShown);
  if (!isShown) return null;
  return (
    <Section className="updates-sec" title={t('updates.settings.title')} isPadded={false}>
      <Loaded query={updates} failed={t('updates.settings.failed')}>
        {(found) => (
          <div className="pad">
            <Settings deployment={deployment} updates={found} />
          </div>
        )}
      </Loaded>
    </Section>
  );
}

function Settings({ deployment, updates }: { deployment: Deployment; updates: Updates }) {
  const t = useText();
  const [isOpen, setOpen] = useState(false);
  const isVerified = useIsVerified();
  const canChange = useCanChange();
  if (isOpen) return <UpdatesForm deployment={deployment} updates={updates} onClose={() => setOpen(false)} />;
  return (
    <>
      <Summary updates={updates} />
      {canChange ? (
        <LockedButton
          size="small"
          reason={isVerified ? null : t('deployments.locked.unverified')}
          onClick={() => setOpen(true)}
        >
          {t('updates.settings.change')}
        </LockedButton>
      ) : null}
    </>
  );
}

function Summary({ updates: { settings, window, reboot } }: { updates: Updates }) {
  const t = useText();
  const { automatic, is_held: isHeld, days, hour, hours, time_zone: zone } = settings;
  const rows: [string, string[]][] = [[t('updates.settings.automatic'), [t(`updates.settings.kinds.${automatic}`)]]];
  const isPlanned = reboot?.is_planned === true;
  const periods = periodTexts(window, zone, t);
  if (automatic !== 'off' || isPlanned)
    rows.push([
      t('updates.settings.window'),
      [
        t('updates.settings.summary', {
          days:
            days.length === WEEK.length
              ? t('updates.settings.every_day')
              : wordList(WEEK.filter((day) => days.includes(day)).map((day) => weekdayName(day, 'short'))),
          hour: hourText(hour),
          hours: t('updates.settings.hours', { smart_count: hours }),
        }),
        zone,
      ],
    ]);
  if (isHeld) rows.push([t('updates.settings.version'), [t('updates.settings.held')]]);
  else if (automatic !== 'off') rows.push([t('updates.settings.next'), periods]);
  if (isPlanned) rows.push([t('updates.settings.reboot'), periods]);
  return (
    <dl className="kv">
      {rows.map(([label, lines]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>
            {lines.map((line) => (
              <div key={line}>{line}</div>
            ))}
          </dd>
        </div>
      ))}
    </dl>
  );
}
