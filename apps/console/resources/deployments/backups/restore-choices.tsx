import { Archive, ClockAlert, TriangleAlert, Wallet } from 'lucide-react';
import type { Backups, Copy } from '../../../data/backups';
import { useRunway } from '../../../data/billing';
import { usePackages } from '../../../data/catalogue';
import type { Deployment } from '../../../data/deployments';
import { useText } from '../../../texts/console-i18n';
import { duration, shortInstant } from '../../../ui/dates';
import { Card, Choices, FromPrice } from '../../../parts/order/choice';
import { takenAt } from './calendar';
import { copyName, newestComplete, otherRelease, tookMs } from './copy-messages';

export type Answer = 'replace' | 'create';

/** The two things that can be done with a copy, each with its price. */
export function Answers({
  deployment,
  answer,
  mayCreate,
  onChoose,
}: {
  deployment: Deployment;
  answer: Answer;
  mayCreate: boolean;
  onChoose: (answer: Answer) => void;
}) {
  const t = useText();
  const { client_name: name, package: pack } = deployment;
  const from = usePackages().data?.find((one) => one.name === pack)?.from_daily;
  return (
    <Choices
      label={t('backups.restore.choose')}
      value={answer}
      onChoose={(value) => onChoose(value === 'create' ? 'create' : 'replace')}
    >
      <Card
        value="replace"
        chosen={answer === 'replace'}
        price={<span className="tag star">{t('backups.restore.free')}</span>}
      >
        <b className="anywhere">{t('backups.restore.replace', { name })}</b>
        <br />
        <span className="soft">{t('backups.restore.replace_hint')}</span>{' '}
        <strong>{t('backups.restore.replace_undo')}</strong>
      </Card>
      {mayCreate ? (
        <Card value="create" chosen={answer === 'create'} price={<FromPrice daily={from} />}>
          <b>{t('backups.restore.create')}</b>
          <br />
          <span className="soft anywhere">{t('backups.restore.create_hint', { name })}</span>
        </Card>
      ) : null}
    </Choices>
  );
}

/** Lists the consequences of replacing the data. */
export function Consequences({
  copy,
  backups,
  now,
  isOwner,
}: {
  copy: Copy;
  backups: Backups;
  now: number;
  isOwner: boolean;
}) {
  const t = useText();
  const { data: runway } = useRunway();
  const newest = newestComplete(backups.copies);
  const took = newest === undefined ? null : tookMs(newest);
  return (
    <ul className="restore-plan">
      <li>
        <ClockAlert size={16} aria-hidden="true" />
        {t('backups.restore.replaced', {
          at: copyName(copy, now),
          time: duration(Math.max(0, now - Date.parse(takenAt(copy)))),
        })}
      </li>
      <li>
        <Archive size={16} aria-hidden="true" />
        {took === null ? t('backups.restore.first') : t('backups.restore.first_time', { time: duration(took) })}
      </li>
      <li>
        <Wallet size={16} aria-hidden="true" />
        {isOwner && runway?.ends_at != null
          ? t('backups.restore.until', { date: shortInstant(runway.ends_at, now) })
          : t('backups.restore.endless')}
      </li>
    </ul>
  );
}

/** States which version runs afterwards, if it is another one than now or was withdrawn. */
export function ReleaseNotes({ answer, copy, backups }: { answer: Answer; copy: Copy; backups: Backups }) {
  const t = useText();
  const version = otherRelease(copy, backups);
  return (
    <>
      {version === null ? null : <p>{t(`backups.restore.version.${answer}`, { version })}</p>}
      {copy.is_withdrawn && copy.release !== null ? (
        <div className="note brass" role="status">
          <TriangleAlert size={16} aria-hidden="true" />
          <p>{t('backups.restore.version.withdrawn', { version: copy.release })}</p>
        </div>
      ) : null}
    </>
  );
}
