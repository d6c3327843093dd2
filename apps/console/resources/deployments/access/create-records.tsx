import type { DnsProviderAnswer, ExistingRecords } from '@moorage/contracts';
import { checkDnsToken, DNS_PROVIDER_NAMES, DNS_PROVIDERS, type DnsProviderName } from '@moorage/domain';
import { ExternalLink, Wand } from 'lucide-react';
import { useState } from 'react';
import { useWatch } from 'react-hook-form';
import { type Deployment, useDnsProvider } from '../../../data/deployments';
import { ApiError } from '../../../data/errors';
import { problemText } from '../../../data/problem-message';
import { useAction } from '../../../data/use-action';
import { LockedButton } from '../../../parts/locked-button';
import { useText } from '../../../texts/console-i18n';
import { bothForms } from '../../../ui/both-forms';
import { Button, buttonClass, ButtonLabel } from '../../../ui/button';
import { Dialog } from '../../../ui/dialog';
import { FormDialog } from '../../../ui/form/form-dialog';
import { CheckboxInput, SelectInput, TextInput } from '../../../ui/form/inputs';
import { useToast } from '../../../ui/use-toast';
import { useActsAsOwner, useIsVerified } from '../actions';
import './create-records.css';

interface Setup {
  readonly deployment: Deployment;
  /** A further domain, or the domain that the deployment will get. Null for its current domain. */
  readonly domain?: string | null;
  /** True if the deployment can do without some of the records. */
  readonly hasOptional?: boolean;
}

/** Button and dialog that create DNS records at the owner's provider. */
export function CreateRecordsButton(setup: Setup) {
  const t = useText();
  const isVerified = useIsVerified();
  const isOwner = useActsAsOwner(setup.deployment);
  const [isOpen, setOpen] = useState(false);
  if (!isOwner) return null;
  return (
    <>
      <LockedButton
        reason={isVerified ? null : t('deployments.locked.unverified')}
        size="small"
        icon={Wand}
        onClick={() => setOpen(true)}
      >
        {t('dns_setup.button')}
      </LockedButton>
      {isOpen ? <CreateRecords {...setup} onClose={() => setOpen(false)} /> : null}
    </>
  );
}

/** Waits for the provider of the domain, so that it is preselected. */
export function CreateRecords({ onClose, ...setup }: Setup & { onClose: () => void }) {
  const t = useText();
  const { data, isPending } = useDnsProvider(setup.deployment.id, setup.domain ?? null);
  return (
    // A submit must not reach the form around the button.
    <div onSubmit={(event) => event.stopPropagation()}>
      {isPending ? (
        <Dialog
          title={t('dns_setup.title')}
          onClose={onClose}
          actions={<Button onClick={onClose}>{t('layout.cancel')}</Button>}
        >
          <p role="status">{t('dns_setup.searching')}</p>
        </Dialog>
      ) : (
        <RecordsForm {...setup} found={data ?? null} onClose={onClose} />
      )}
    </div>
  );
}

interface Values {
  readonly provider: DnsProviderName;
  readonly token: string;
  readonly with_optional: boolean;
}

type Existing = ExistingRecords['existing'];

function RecordsForm({
  deployment,
  domain = null,
  hasOptional = false,
  found,
  onClose,
}: Setup & { found: DnsProviderAnswer | null; onClose: () => void }) {
  const t = useText();
  const toast = useToast();
  const create = useAction('deployments', 'createRecords');
  const [existing, setExisting] = useState<Existing>([]);
  const submit = async (values: Values): Promise<void> => {
    const replace = existing.map(({ type, name, value }) => ({ type, name, value }));
    const body = { ...values, token: values.token.trim(), domain, replace };
    try {
      const { provider, records } = await create.mutateAsync({ params: { id: deployment.id }, body });
      const set = records.filter(({ result }) => result !== 'unchanged').length;
      const { label } = DNS_PROVIDERS[provider];
      toast(
        set === 0
          ? t('dns_setup.unchanged', { provider: label })
          : t('dns_setup.done', { smart_count: set, provider: label }),
      );
    } catch (error) {
      const different = existingOf(error);
      if (different === null) throw error;
      setExisting(different);
      return;
    } finally {
      // The token is not kept in memory with the request.
      create.reset();
    }
    onClose();
  };
  return (
    <FormDialog<Values>
      width="wide"
      title={t('dns_setup.title')}
      text={t('dns_setup.text', { domain: bothForms(domain ?? deployment.domain ?? '') })}
      defaultValues={{ provider: found?.provider ?? 'cloudflare', token: '', with_optional: hasOptional }}
      onSubmit={submit}
      retryAt="token"
      submit={{
        label: existing.length === 0 ? t('dns_setup.submit') : t('dns_setup.replace', { smart_count: existing.length }),
        busyLabel: t('dns_setup.busy'),
        isDanger: existing.length > 0,
      }}
      onClose={onClose}
    >
      {found?.connect == null ? null : <Connect connect={found.connect} />}
      <ProviderInput found={found} />
      <TokenInput />
      {hasOptional ? <CheckboxInput source="with_optional" label={t('dns_setup.optional')} /> : null}
      {existing.length === 0 ? null : <Different existing={existing} />}
    </FormDialog>
  );
}

/** Link to the page of the DNS provider on which the owner confirms the records. */
function Connect({ connect: { provider, url } }: { connect: NonNullable<DnsProviderAnswer['connect']> }) {
  const t = useText();
  return (
    <div className="dns-connect">
      <p>{t('dns_setup.connect.text', { provider })}</p>
      <a className={buttonClass({ kind: 'primary' })} href={url} target="_blank" rel="noreferrer noopener">
        <ButtonLabel endIcon={ExternalLink}>{t('dns_setup.connect.open', { provider })}</ButtonLabel>
      </a>
      <p>{t('dns_setup.connect.or')}</p>
    </div>
  );
}

function ProviderInput({ found }: { found: DnsProviderAnswer | null }) {
  const t = useText();
  const provider = useWatch<Values, 'provider'>({ name: 'provider' });
  return (
    <SelectInput<Values> source="provider" label={t('dns_setup.provider')} hint={hintOf(found, provider, t)}>
      {DNS_PROVIDER_NAMES.map((name) => (
        <option key={name} value={name}>
          {DNS_PROVIDERS[name].label}
        </option>
      ))}
    </SelectInput>
  );
}

/** Number of name servers shown for a provider that is not in the list. Further names would not help to recognise it. */
const SERVERS_SHOWN = 2;

function hintOf(found: DnsProviderAnswer | null, chosen: DnsProviderName, t: ReturnType<typeof useText>) {
  if (found === null || found.zone === null) return undefined;
  const zone = bothForms(found.zone);
  if (found.provider === null)
    return t('dns_setup.other', { zone, servers: found.name_servers.slice(0, SERVERS_SHOWN).join(', ') });
  const provider = DNS_PROVIDERS[found.provider].label;
  return t(found.provider === chosen ? 'dns_setup.found' : 'dns_setup.elsewhere', { zone, provider });
}

function TokenInput() {
  const t = useText();
  const provider = useWatch<Values, 'provider'>({ name: 'provider' });
  const { label, tokenUrl } = DNS_PROVIDERS[provider];
  return (
    <div className="dns-token">
      <TextInput<Values>
        source="token"
        type="password"
        label={t('dns_setup.token')}
        hint={t(`dns_setup.permission.${provider}`)}
        validate={(token) => problemText(checkDnsToken(token.trim()))}
      />
      <p className="hint">
        <a href={tokenUrl} target="_blank" rel="noreferrer noopener">
          {t('dns_setup.create_token', { provider: label })}
          <ExternalLink size={14} aria-hidden="true" />
        </a>{' '}
        {t('dns_setup.delete_token')}
      </p>
    </div>
  );
}

/** Existing records that the owner agrees to replace by submitting again. */
function Different({ existing }: { existing: Existing }) {
  const t = useText();
  return (
    <div className="note brass" role="alert">
      <div>
        <p>{t('dns_setup.differ')}</p>
        <ul className="different-records">
          {existing.map(({ type, name, value, proxied }) => (
            <li key={`${type} ${name} ${value}`} className="mono anywhere">
              {type} {bothForms(name)} {proxied ? t('dns_setup.proxied', { value }) : value}
            </li>
          ))}
        </ul>
      </div>
    </div>
  );
}

/** Returns the records of DNS_RECORDS_DIFFER, or null for another error. */
function existingOf(error: unknown): Existing | null {
  if (!(error instanceof ApiError) || error.code !== 'DNS_RECORDS_DIFFER') return null;
  const { existing } = error.facts as Partial<ExistingRecords>;
  return existing ?? null;
}
