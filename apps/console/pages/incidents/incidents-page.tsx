import { INCIDENT_KINDS, type IncidentKind, OWN_SERVER } from '@moorage/domain';
import { CircleCheck } from 'lucide-react';
import { useCatalogueNames } from '../../data/catalogue';
import { type OpenIncidents, useOpenIncidents } from '../../data/watch';
import { useText } from '../../texts/console-i18n';
import { ButtonLink } from '../../ui/button-link';
import { Loaded, SectionCard } from '../../ui/card';
import { useListAddress } from '../../ui/list/list-address';
import { PageLinks } from '../../ui/list/page-links';
import { useTitle } from '../../ui/use-title';
import { AdminOnly } from '../../parts/admin-only';
import { Filters } from './filters';
import { Groups } from './groups';
import { IncidentTable } from './incident-table';
import './incidents-page.css';

const PER_PAGE = 25;

/** Open incidents of all deployments for administrators, with groups that may have a common cause. */
export default function IncidentsPage() {
  const t = useText();
  useTitle(t('incidents.title'));
  return (
    <AdminOnly>
      <main className="main open-incidents" id="content" tabIndex={-1}>
        <div className="title">
          <h1 className="grow">{t('incidents.title')}</h1>
        </div>
        <Incidents />
      </main>
    </AdminOnly>
  );
}

function Incidents() {
  const t = useText();
  const { page, text } = useListAddress();
  const provider = text('provider');
  const kind = INCIDENT_KINDS.find((each) => each === text('kind'));
  const incidents = useOpenIncidents({
    page,
    per_page: PER_PAGE,
    ...(provider === undefined ? {} : { provider }),
    ...(kind === undefined ? {} : { kind }),
  });
  return (
    <Loaded query={incidents} failed={t('incidents.admin.failed')}>
      {(found) => <Found found={found} now={incidents.dataUpdatedAt} provider={provider} kind={kind} />}
    </Loaded>
  );
}

function Found({
  found,
  now,
  provider,
  kind,
}: {
  found: OpenIncidents;
  now: number;
  provider: string | undefined;
  kind: IncidentKind | undefined;
}) {
  const t = useText();
  const { addressWith } = useListAddress();
  const { groups, incidents } = found;
  const providers = [
    ...new Set([
      ...groups.map((group) => group.provider ?? OWN_SERVER),
      ...incidents.map(({ deployment }) => deployment.cloud_provider ?? OWN_SERVER),
      ...(provider === undefined ? [] : [provider]),
    ]),
  ].sort();
  const names = useCatalogueNames(providers.filter((name) => name !== OWN_SERVER));
  const nameOf = (name: string): string =>
    name === OWN_SERVER ? t('incidents.admin.own_servers') : names.providerName(name);
  const isFiltered = provider !== undefined || kind !== undefined;
  if (groups.length === 0 && incidents.length === 0 && !isFiltered)
    return (
      <div className="card empty">
        <CircleCheck size={24} aria-hidden="true" className="good" />
        <p className="found">{t('incidents.admin.none')}</p>
      </div>
    );
  return (
    <div className="stack">
      <Groups groups={groups} chosen={{ provider, kind }} now={now} nameOf={nameOf} />
      <SectionCard
        id="open-incidents"
        title={t('incidents.admin.list')}
        aside={<Filters providers={providers} chosen={{ provider, kind }} nameOf={nameOf} />}
      >
        {incidents.length === 0 ? (
          <div className="pad row wrap">
            <p className="soft">{t('incidents.admin.none_found')}</p>
            {isFiltered ? (
              <ButtonLink size="small" to={addressWith({ provider: undefined, kind: undefined })}>
                {t('incidents.admin.clear')}
              </ButtonLink>
            ) : null}
          </div>
        ) : (
          <IncidentTable incidents={incidents} packageName={names.packageName} nameOf={nameOf} />
        )}
        {found.total_pages > 1 ? (
          <PageLinks page={found.current_page} total={found.total_pages} addressOf={(page) => addressWith({ page })} />
        ) : null}
      </SectionCard>
    </div>
  );
}
