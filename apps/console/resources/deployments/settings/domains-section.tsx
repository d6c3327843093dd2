import { CircleOff, LoaderCircle, Plus, ShieldCheck, TriangleAlert } from 'lucide-react';
import type { DeploymentDomainsAnswer, FurtherDomainAnswer, HostCertificateAnswer } from '@moorage/contracts';
import { DAY_MS } from '@moorage/domain';
import { type ReactNode, useState } from 'react';
import { type Deployment, useConfiguration, useDomains } from '../../../data/deployments';
import { useServerNow } from '../../../data/server-now';
import { allows } from '../../../parts/deployment/deployment-messages';
import { LockedButton } from '../../../parts/locked-button';
import { useText } from '../../../texts/console-i18n';
import { bothForms } from '../../../ui/both-forms';
import { Button } from '../../../ui/button';
import { Loaded, SectionCard } from '../../../ui/card';
import { DataTable } from '../../../ui/data-table';
import { MessageText } from '../../../ui/message-text';
import { CertificateLine } from '../access/certificates';
import { useActsAsOwner, useIsVerified } from '../actions';
import { ChangeDomainButton, DomainForm } from './change-domain';
import { AddDomain, RecordDialog, RemoveDomain } from './domain-dialogs';
import { LastFailure } from './last-failure';
import './domains-section.css';

type Opened =
  { readonly what: 'add' | 'change' } | { readonly what: 'record' | 'remove'; readonly domain: FurtherDomainAnswer };
/** Row of the table. The deployment's own address is the first. */
type Row = { readonly id: number; readonly host: string } & (
  { readonly certificate: HostCertificateAnswer | null } | { readonly domain: FurtherDomainAnswer }
);
const PRIMARY = 0;

/** The address of the deployment and the domains that redirect to it, with their certificates. */
export function DomainsSection({ deployment }: { deployment: Deployment }) {
  const domains = useDomains(deployment.id, deployment.domain !== null);
  const configuration = useConfiguration(deployment.id);
  const now = useServerNow(domains.data?.now, domains.dataUpdatedAt);
  const [opened, setOpened] = useState<Opened | null>(null);
  const t = useText();
  if (deployment.domain === null) return null;
  const { data } = domains;
  const close = (): void => setOpened(null);
  const target = data?.primary?.host ?? deployment.domain;
  return (
    <SectionCard
      id="domains"
      title={t('domains.title')}
      aside={
        data?.offered === true ? (
          <AddButton deployment={deployment} domains={data} onClick={() => setOpened({ what: 'add' })} />
        ) : null
      }
    >
      <LastFailure change={configuration.data?.change ?? null} ofDomain />
      <Loaded query={domains} failed={t('domains.failed')}>
        {(shown) => (
          <DomainTable
            deployment={deployment}
            domains={shown}
            now={now}
            isChanging={opened?.what === 'change'}
            onOpen={setOpened}
          />
        )}
      </Loaded>
      {opened?.what === 'change' && allows(deployment, 'change_domain') ? (
        <div className="pad">
          <DomainForm deployment={deployment} onClose={close} />
        </div>
      ) : null}
      {opened?.what === 'add' && data !== undefined ? (
        <AddDomain deployment={deployment} domains={data} target={target} onClose={close} />
      ) : null}
      {opened?.what === 'record' ? (
        <RecordDialog deployment={deployment} domain={opened.domain} now={now} onClose={close} />
      ) : null}
      {opened?.what === 'remove' ? (
        <RemoveDomain id={deployment.id} domain={opened.domain} target={target} onClose={close} />
      ) : null}
    </SectionCard>
  );
}

/** Returns why further domains cannot be changed, or null. */
function useLock(deployment: Deployment): string | null {
  const t = useText();
  const isVerified = useIsVerified();
  if (!isVerified) return t('deployments.locked.unverified');
  return allows(deployment, 'manage_domains') ? null : t('domains.add.not_ready');
}

function AddButton({
  deployment,
  domains,
  onClick,
}: {
  deployment: Deployment;
  domains: DeploymentDomainsAnswer;
  onClick: () => void;
}) {
  const t = useText();
  const lock = useLock(deployment);
  const { most } = domains;
  if (!useActsAsOwner(deployment)) return null;
  const full = domains.domains.length < most ? null : t('domains.add.full', { most });
  return (
    <LockedButton icon={Plus} size="small" reason={lock ?? full} aria-haspopup="dialog" onClick={onClick}>
      {t('domains.add.button')}
    </LockedButton>
  );
}

function DomainTable({
  deployment,
  domains,
  now,
  isChanging,
  onOpen,
}: {
  deployment: Deployment;
  domains: DeploymentDomainsAnswer;
  now: number;
  /** The form for another domain is open, so the button that opens it is hidden. */
  isChanging: boolean;
  onOpen: (what: Opened) => void;
}) {
  const t = useText();
  const isOwner = useActsAsOwner(deployment);
  const { primary, offered } = domains;
  const own = primary ?? { host: deployment.domain ?? '', certificate: null };
  const rows: Row[] = [
    { id: PRIMARY, ...own },
    ...domains.domains.map((domain) => ({ id: domain.id, host: domain.host, domain })),
  ];
  return (
    <>
      <DataTable<Row> className="domains" label={t('domains.title')} rows={rows}>
        <DataTable.Col<Row>
          label={t('domains.name')}
          render={({ id, host }) => (
            <>
              <b className="anywhere">{bothForms(host)}</b>
              <span className="sub anywhere">
                {id === PRIMARY ? t('domains.primary') : t('domains.redirects_to', { host: bothForms(own.host) })}
              </span>
            </>
          )}
        />
        <DataTable.Col<Row>
          label={<span className="vh">{t('domains.status')}</span>}
          render={(row) =>
            'domain' in row ? (
              <DomainState domain={row.domain} status={deployment.status} now={now} />
            ) : (
              <Certificate certificate={row.certificate} status={deployment.status} now={now} />
            )
          }
        />
        <DataTable.Col<Row>
          label={<span className="vh">{t('domains.actions')}</span>}
          render={(row) => (
            <span className="act">
              {'domain' in row ? (
                <DomainActs deployment={deployment} domain={row.domain} onOpen={onOpen} />
              ) : isChanging ? null : (
                <ChangeDomainButton deployment={deployment} onClick={() => onOpen({ what: 'change' })} />
              )}
            </span>
          )}
        />
      </DataTable>
      {isOwner && !allows(deployment, 'change_domain') ? (
        <p className="pad hint">{t('deployments.page.domain_fixed')}</p>
      ) : null}
      {offered ? null : <p className="pad hint">{t('domains.not_offered')}</p>}
    </>
  );
}

function DomainActs({
  deployment,
  domain,
  onOpen,
}: {
  deployment: Deployment;
  domain: FurtherDomainAnswer;
  onOpen: (what: Opened) => void;
}) {
  const t = useText();
  const lock = useLock(deployment);
  const isOwner = useActsAsOwner(deployment);
  if (domain.state === 'removing') return null;
  return (
    <>
      {domain.record.right === true ? null : (
        <Button size="small" aria-haspopup="dialog" onClick={() => onOpen({ what: 'record', domain })}>
          {t('domains.record.button')}
        </Button>
      )}
      {isOwner ? (
        <LockedButton
          size="small"
          reason={lock}
          aria-haspopup="dialog"
          aria-label={`${t('domains.removal.button')} ${domain.host}`}
          onClick={() => onOpen({ what: 'remove', domain })}
        >
          {t('domains.removal.button')}
        </LockedButton>
      ) : null}
    </>
  );
}

interface Shown {
  readonly status: Deployment['status'];
  readonly now: number;
}

function DomainState({ domain, ...shown }: Shown & { domain: FurtherDomainAnswer }) {
  const t = useText();
  const { state, certificate, failure, record } = domain;
  const reason = failure ?? (state === 'record_missing' ? record.reason : null);
  const states: Readonly<Record<typeof state, ReactNode>> = {
    setting_up: (
      <span className="st busy">
        <LoaderCircle size={16} className="spin" aria-hidden="true" />
        {t('domains.state.setting_up')}
      </span>
    ),
    record_missing: (
      <span className="tag brass">
        <TriangleAlert size={14} aria-hidden="true" />
        {t('domains.state.record_missing')}
      </span>
    ),
    active: <Certificate certificate={certificate} {...shown} />,
    certificate_failed: <Certificate certificate={certificate} {...shown} />,
    removing: (
      <span className="st off">
        <LoaderCircle size={16} className="spin" aria-hidden="true" />
        {t('domains.state.removing')}
      </span>
    ),
    given_up: (
      <span className="st off">
        <CircleOff size={16} aria-hidden="true" />
        {t('domains.state.given_up')}
      </span>
    ),
  };
  return (
    <>
      {states[state]}
      {reason === null ? null : (
        <p className="small soft anywhere">
          <MessageText message={reason} />
        </p>
      )}
    </>
  );
}

/** Certificate with the days that are left, or with its problem. */
function Certificate({ certificate, status, now }: Shown & { certificate: HostCertificateAnswer | null }) {
  const t = useText();
  if (certificate === null) return null;
  const { state, expires_at: expires } = certificate;
  if (state !== 'good' || expires === null) return <CertificateLine certificate={certificate} status={status} />;
  const days = Math.max(0, Math.floor((Date.parse(expires) - now) / DAY_MS));
  return (
    <span className="st good">
      <ShieldCheck size={16} aria-hidden="true" />
      {t('domains.state.valid', { smart_count: days })}
    </span>
  );
}
