import { checkContactEmail, envValue, isDomainName, isHostLabel } from '@moorage/domain';
import { useNames } from '../../data/names';
import { useSession } from '../../data/session';
import { useText } from '../../texts/console-i18n';
import { useConsoleSettings } from '../../data/brand';
import { readableDomain } from '../../ui/both-forms';
import { isSandboxServer, sandboxDomain } from '../../parts/order/domain-name';
import { useWizard } from './wizard-context';
import { Button } from '../../ui/button';

/** Suggests a domain that resolves automatically, for simulated servers. */
export function DomainSuggestion() {
  const t = useText();
  const { sandbox_domain: zone } = useConsoleSettings();
  const { wizard, stored, type } = useWizard();
  const { draft } = wizard;
  if (zone === null || !isSandboxServer(draft) || draft.package === null) return null;
  const name = sandboxDomain({ pack: draft.package, at: stored.begunAt, zone });
  return (
    <div className="suggest">
      {draft.domain === name ? null : <Use value={name} onUse={() => type('domain', name)} />}
      <p className="hint">{t('wizard.config.sandbox', { zone })}</p>
    </div>
  );
}

/** Suggests the customer's email while the field is empty, unless certificate authorities reject it. */
export function EmailSuggestion({ field }: { field: 'admin_email' | 'admin_username' }) {
  const { wizard, type } = useWizard();
  const email = useSession()?.user?.email ?? '';
  const names = useNames();
  if (email === '' || checkContactEmail(email, names) !== null || (wizard.draft[field] ?? '') !== '') return null;
  return (
    <div className="suggest">
      <Use value={email} onUse={() => type(field, email)} />
    </div>
  );
}

function Use({ value, onUse }: { value: string; onUse: () => void }) {
  const t = useText();
  return (
    <Button kind="text" size="small" className="inline" onClick={onUse}>
      {t('wizard.config.use', { value })}
    </Button>
  );
}

/** Shows the readable form of a domain if it differs from its DNS form. */
export function ReadAs({ domain }: { domain: string }) {
  const t = useText();
  const name = readableDomain(domain);
  return name === null ? null : <p className="hint">{t('wizard.config.read_as', { name, domain })}</p>;
}

/** Shows the address of the deployment once both of its parts are entered. */
export function ReachedAt() {
  const t = useText();
  const { wizard, config, platformName } = useWizard();
  if (config === null) return null;
  const name = envValue(wizard.draft, 'ADMIN_SUBDOMAIN', config);
  const typed = wizard.draft.domain ?? '';
  const domain = typed === '' ? (platformName ?? '') : typed;
  if (!isHostLabel(name) || !isDomainName(domain)) return null;
  return <p className="hint reached">{t('wizard.config.reached', { address: `https://${name}.${domain}` })}</p>;
}
