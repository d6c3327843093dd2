import { checkDomain, envVariable, type Message, type NameContext, ORDER_MESSAGES } from '@moorage/domain';
import { type ComponentProps, useState } from 'react';
import { useFormContext, useWatch } from 'react-hook-form';
import { ApiError } from '../../../data/errors';
import type { Deployment } from '../../../data/deployments';
import { useNames } from '../../../data/names';
import { useServerNow } from '../../../data/server-now';
import { useAction } from '../../../data/use-action';
import { useText } from '../../../texts/console-i18n';
import { useConsoleSettings } from '../../../data/brand';
import { duration } from '../../../ui/dates';
import { Form } from '../../../ui/form/form';
import { TextInput } from '../../../ui/form/inputs';
import { sandboxDomain, tidyDomain } from '../../../parts/order/domain-name';
import { useActsAsOwner, useIsVerified } from '../actions';
import { problemText, withReason } from '../../../data/problem-message';
import { LockedButton } from '../../../parts/locked-button';
import { useToast } from '../../../ui/use-toast';
import { allows } from '../../../parts/deployment/deployment-messages';
import { useIsCard } from '../section';
import { bothForms } from '../../../ui/both-forms';
import { Button } from '../../../ui/button';
import { MissingRecords } from './missing-records';
import './change-domain.css';

/** Button and form to change the domain while its records are missing or pending. */
export function ChangeDomain({ deployment }: { deployment: Deployment }) {
  const [isOpen, setOpen] = useState(false);
  return isOpen && allows(deployment, 'change_domain') ? (
    <DomainForm deployment={deployment} onClose={() => setOpen(false)} />
  ) : (
    <ChangeDomainButton deployment={deployment} onClick={() => setOpen(true)} />
  );
}

/** Opens the form. Shown to the owner while the domain can be changed. */
export function ChangeDomainButton({ deployment, onClick }: { deployment: Deployment; onClick: () => void }) {
  const t = useText();
  const isVerified = useIsVerified();
  if (!useActsAsOwner(deployment) || !allows(deployment, 'change_domain')) return null;
  return (
    <LockedButton reason={isVerified ? null : t('deployments.locked.unverified')} size="small" onClick={onClick}>
      {t('deployments.domain.change')}
    </LockedButton>
  );
}

export function DomainForm({ deployment, onClose }: { deployment: Deployment; onClose: () => void }) {
  const t = useText();
  const toast = useToast();
  const change = useAction('deployments', 'changeDomain');
  const left = useTimeLeft(change.error, change.submittedAt);
  const save: ComponentProps<typeof Form<Values>>['onSubmit'] = async ({ domain: typed }, form) => {
    if (left !== null) return;
    const domain = tidyDomain(typed);
    form.setValue('domain', domain);
    try {
      await change.mutateAsync({ params: { id: deployment.id }, body: { domain } });
    } catch (error) {
      if (error instanceof ApiError && error.fields.some(({ path }) => path === 'domain')) throw error;
      if (waitOf(error) === null) toast(withReason(t('deployments.domain.failed'), error), { type: 'error' });
      return;
    }
    const done = deployment.status === 'READY' ? 'deployments.domain.changing' : 'deployments.domain.changed';
    toast(t(done, { domain: bothForms(domain) }));
    onClose();
  };
  return (
    <Form className="change-domain" defaultValues={{ domain: '' }} onSubmit={save}>
      <DomainInput deployment={deployment} />
      <Suggestion deployment={deployment} />
      <Records deployment={deployment} />
      {left === null ? null : (
        <p className="problem small" role="alert">
          {t('deployments.domain.wait')}{' '}
          <span aria-hidden="true">{t('deployments.domain.left', { left: duration(left) })}</span>
        </p>
      )}
      <div className="row wrap">
        <Button type="submit" kind="primary" size="small" disabled={change.isPending || left !== null}>
          {change.isPending ? t('deployments.cost.saving') : t('deployments.domain.change')}
        </Button>
        <Button size="small" onClick={onClose}>
          {t('layout.cancel')}
        </Button>
      </div>
    </Form>
  );
}

interface Values {
  readonly domain: string;
}

function DomainInput({ deployment }: { deployment: Deployment }) {
  const t = useText();
  const isCard = useIsCard();
  const names = useNames();
  return (
    <TextInput
      source="domain"
      label={t('deployments.domain.new')}
      hint={t(
        deployment.status === 'READY'
          ? 'deployments.page.domain_ready'
          : isCard
            ? 'deployments.page.domain_hint'
            : 'deployments.domain.hint',
      )}
      placeholder={envVariable('DOMAIN')?.placeholder}
      autoFocus
      validate={(typed) => problemText(problemOf(tidyDomain(typed), { deployment, names }))}
    />
  );
}

/** In READY, the records must exist before the domain changes. */
function Records({ deployment }: { deployment: Deployment }) {
  const domain = tidyDomain(useWatch<Values, 'domain'>({ name: 'domain' }));
  if (deployment.status !== 'READY' || envVariable('DOMAIN')?.check(domain, { adminName: 'email' }) !== null)
    return null;
  return <MissingRecords deployment={deployment} changes={{ DOMAIN: domain }} />;
}

/** Validates the domain as the wizard does. It must also differ from the current domain. */
function problemOf(
  domain: string,
  { deployment, names }: { deployment: Deployment; names: NameContext },
): Message | null {
  return domain === deployment.domain ? ORDER_MESSAGES.domain_same : checkDomain(domain, names);
}

const waitOf = (error: unknown): number | null =>
  error instanceof ApiError && error.status === 429 ? error.retryAfterS : null;

/** Returns the milliseconds until the next change is possible, or null if it is now. */
function useTimeLeft(error: Error | null, requestedAt: number): number | null {
  const wait = waitOf(error);
  const now = useServerNow(new Date(requestedAt).toISOString(), requestedAt, 1_000);
  if (wait === null) return null;
  const left = requestedAt + wait * 1_000 - now;
  return left > 0 ? left : null;
}

/** Suggests a domain that resolves automatically, if the cloud is simulated. */
function Suggestion({ deployment }: { deployment: Deployment }) {
  const t = useText();
  const { setValue } = useFormContext<Values>();
  const typed = useWatch<Values>({ name: 'domain' });
  const { sandbox_domain: zone } = useConsoleSettings();
  if (zone === null || !deployment.sandbox) return null;
  const name = sandboxDomain({ pack: deployment.package, at: Date.parse(deployment.created_at), zone });
  if (name === typed || name === deployment.domain) return null;
  return (
    <Button kind="text" size="small" onClick={() => setValue('domain', name)}>
      {t('wizard.config.use', { value: name })}
    </Button>
  );
}
