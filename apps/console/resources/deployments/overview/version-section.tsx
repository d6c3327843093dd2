import { DAY_MS, SUPPORT_NOTICES } from '@moorage/domain';
import { TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import type { CatalogueNames } from '../../../data/catalogue';
import type { Deployment } from '../../../data/deployments';
import { isUpdating, type Updates, useUpdates, type Version } from '../../../data/updates';
import { allows } from '../../../parts/deployment/deployment-messages';
import { LockedButton } from '../../../parts/locked-button';
import { useCanChange } from '../../../data/session';
import { useText } from '../../../texts/console-i18n';
import { ButtonLink } from '../../../ui/button-link';
import { Loaded } from '../../../ui/card';
import { dayWithYear } from '../../../ui/dates';
import { useIsVerified } from '../actions';
import { useNow } from '../../../data/use-now';
import { Section } from '../section';
import { pageOf } from '../tabs';
import type { Details } from '../use-details';
import { RebootNeed } from './reboot-need';
import { UpdateDialog } from './update-dialog';
import { Changes, UpdateFacts } from './update-facts';
import './version-section.css';

/** The end of support is shown this many days before, when its first email is sent. */
const [SUPPORT_DAYS] = SUPPORT_NOTICES;

/** Version that runs, what is newer, and the next update with its consequences. */
export function VersionSection({ details: { deployment, runs }, names }: { details: Details; names: CatalogueNames }) {
  const t = useText();
  const updates = useUpdates(deployment.id, runs);
  if (!runs) return null;
  return (
    <Section className="version-sec" title={t('updates.title')} isPadded={false}>
      <Loaded query={updates} failed={t('updates.failed')}>
        {(found) => (
          <div className="pad">
            <Running updates={found} packageName={names.packageName(deployment.package)} />
            <RebootNeed deployment={deployment} updates={found} />
            <Next deployment={deployment} updates={found} />
          </div>
        )}
      </Loaded>
    </Section>
  );
}

/** The version that runs, with what its owner should know about it. */
function Running({ updates: { running, is_withdrawn }, packageName }: { updates: Updates; packageName: string }) {
  const t = useText();
  const now = useNow();
  if (running === null) return <p className="soft">{t('updates.unlisted')}</p>;
  const { version, released_on, supported_until: until } = running;
  const leftMs = until === null ? Infinity : Date.parse(until) + DAY_MS - now;
  return (
    <>
      <p>
        <b>{t('updates.running', { package: packageName, version })}</b>{' '}
        <span className="small muted">{t('updates.released', { date: dayWithYear(released_on) })}</span>
      </p>
      <Changes version={running} />
      {is_withdrawn ? <Warning text={t('updates.withdrawn', { version })} /> : null}
      {until !== null && leftMs <= SUPPORT_DAYS * DAY_MS ? (
        <Warning
          text={t(leftMs > 0 ? 'updates.support_ends' : 'updates.support_ended', {
            version,
            date: dayWithYear(until),
          })}
        />
      ) : null}
    </>
  );
}

function Warning({ text }: { text: string }) {
  return (
    <div className="note brass" role="status">
      <TriangleAlert size={16} aria-hidden="true" />
      <p>{text}</p>
    </div>
  );
}

/** The update that is running, or newer versions and the next update. */
function Next({ deployment, updates }: { deployment: Deployment; updates: Updates }) {
  const t = useText();
  const { running, newer, last, settings, is_withdrawn: isWithdrawn } = updates;
  if (last !== null && isUpdating(updates))
    return (
      <p role="status">{t(last.state === 'running' ? 'updates.under_way' : 'updates.undoing', { version: last.to })}</p>
    );
  const held = settings.is_held ? <p className="soft">{t('updates.held')}</p> : null;
  if (newer.length === 0)
    return (
      <>
        {running === null || isWithdrawn ? null : <p className="soft">{t('updates.newest')}</p>}
        {held}
      </>
    );
  const next = newer.find(({ version }) => version === updates.next);
  return (
    <>
      <h3>{t('updates.newer')}</h3>
      <ul className="versions">
        {newer.toReversed().map((version) => (
          <li key={version.version}>
            <NewerVersion version={version} />
          </li>
        ))}
      </ul>
      {held}
      {updates.waits_for_owner ? <Warning text={t('updates.waits')} /> : null}
      {next === undefined ? (
        <p className="soft">{t('updates.no_step')}</p>
      ) : (
        <NextUpdate deployment={deployment} updates={updates} to={next} />
      )}
    </>
  );
}

function NewerVersion({ version }: { version: Version }) {
  const t = useText();
  return (
    <>
      <p className="row">
        <b>{version.version}</b>
        <span className={version.kind === 'security' ? 'tag brass' : 'tag sea'}>
          {t(`updates.kind.${version.kind}`)}
        </span>
        <span className="small muted">{t('updates.released', { date: dayWithYear(version.released_on) })}</span>
      </p>
      <Changes version={version} />
    </>
  );
}

function NextUpdate({ deployment, updates, to }: { deployment: Deployment; updates: Updates; to: Version }) {
  const t = useText();
  const [dialog, setDialog] = useState(false);
  const isVerified = useIsVerified();
  const canChange = useCanChange();
  return (
    <>
      <h3>{t('updates.dialog.submit', { version: to.version })}</h3>
      <UpdateFacts updates={updates} to={to} />
      {canChange && allows(deployment, 'update') ? (
        <div className="row wrap">
          <LockedButton
            kind="primary"
            reason={
              !isVerified ? t('deployments.locked.unverified') : updates.settings.is_held ? t('updates.held') : null
            }
            aria-haspopup="dialog"
            onClick={() => setDialog(true)}
          >
            {t('updates.update')}
          </LockedButton>
          <ButtonLink to={pageOf(deployment.id, 'settings')}>{t('updates.choose')}</ButtonLink>
        </div>
      ) : null}
      {dialog ? (
        <UpdateDialog deployment={deployment} updates={updates} to={to} onClose={() => setDialog(false)} />
      ) : null}
    </>
  );
}
