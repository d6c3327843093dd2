import type { PackageConfigAnswer } from '@moorage/contracts';
import { type Draft, envValue, isHostLabel } from '@moorage/domain';
import { useState } from 'react';
import { useText } from '../../texts/console-i18n';
import { Button } from '../../ui/button';
import { configSections, type Requested } from './config-fields';
import { EnvInput } from './env-input';
import { ChangeLink, Row } from './express-row';
import { useFieldProps } from './use-field-props';
import { useWizard } from './wizard-context';

/** Domain of the deployment: the name that the platform gives, or the customer's own. */
export function AddressRow({ isMarked }: { isMarked: boolean }) {
  const t = useText();
  const { config, wizard, platformName, type } = useWizard();
  const fieldProps = useFieldProps(isMarked);
  const [own, setOwn] = useState((wizard.draft.domain ?? '') !== '');
  const requested = requestedIn(config).find(({ name }) => name === 'DOMAIN');
  if (requested === undefined) return null;
  const switchTo = (isOwn: boolean): void => {
    if (!isOwn) type('domain', '');
    setOwn(isOwn);
  };
  const isOwn = own || platformName === null;
  return (
    <Row
      label={t('wizard.express.address')}
      change={
        platformName === null ? undefined : (
          <Button kind="text" size="small" className="inline" onClick={() => switchTo(!isOwn)}>
            {t(isOwn ? 'wizard.express.platform_domain' : 'wizard.express.own_domain')}
          </Button>
        )
      }
    >
      {isOwn ? (
        <EnvInput requested={{ ...requested, required: true }} {...fieldProps('domain')} />
      ) : (
        <>
          <span className="mono">{hostIn(config, wizard.draft, platformName)}</span>
          <span className="small muted">{t('wizard.express.platform_hint')}</span>
        </>
      )}
    </Row>
  );
}

/** Host name of the access link below a domain. */
function hostIn(config: PackageConfigAnswer | null, draft: Draft, domain: string): string {
  const name = config === null ? '' : envValue(draft, 'ADMIN_SUBDOMAIN', config);
  return isHostLabel(name) ? `${name}.${domain}` : domain;
}

/** Other fields that the package needs and nothing can fill in, such as keys of other services. */
export function RequiredRow({ isMarked }: { isMarked: boolean }) {
  const t = useText();
  const { config } = useWizard();
  const fieldProps = useFieldProps(isMarked);
  const needed = requestedIn(config).filter(({ name, required }) => required && !WITH_OWN_ROW.includes(name));
  if (needed.length === 0) return null;
  return (
    <Row label={t('wizard.config.needed')}>
      {needed.map((requested) => (
        <EnvInput key={requested.name} requested={requested} {...fieldProps(requested.field)} />
      ))}
    </Row>
  );
}

/** Values that a package may be given, in the order of its form. */
function requestedIn(config: PackageConfigAnswer | null): readonly Requested[] {
  const { needed, optional } = configSections(config ?? { details: [] });
  return [...needed, ...optional].flatMap(({ fields }) => fields);
}

/** Names that the sign-in row shows. */
const SIGN_IN = ['EMAIL', 'ADMIN_USERNAME'];
const WITH_OWN_ROW = ['DOMAIN', ...SIGN_IN];

/** Account of the first administrator. Missing and invalid values are fields, and stay fields while they are typed. */
export function SignInRow({ isMarked }: { isMarked: boolean }) {
  const t = useText();
  const { config, wizard, checkTyped } = useWizard();
  const fieldProps = useFieldProps(isMarked);
  const [isTyping, setTyping] = useState(false);
  const requested = requestedIn(config).filter(({ name, required }) => required && SIGN_IN.includes(name));
  const { draft } = wizard;
  const email = draft.admin_email ?? '';
  if (requested.length === 0) return null;
  const label = t('wizard.express.sign_in');
  const found = checkTyped();
  if (email === '' || isTyping || requested.some(({ field }) => found[field] !== undefined)) {
    return (
      <Row label={label}>
        {requested.map((one) => {
          const { onType, onLeave, ...props } = fieldProps(one.field);
          return (
            <EnvInput
              key={one.name}
              requested={one}
              {...props}
              onType={(value) => {
                setTyping(true);
                onType(value);
              }}
              onLeave={() => {
                setTyping(false);
                onLeave();
              }}
            />
          );
        })}
      </Row>
    );
  }
  const isTyped = (draft.admin_password ?? '') !== '';
  const name = config?.admin_name === 'email' ? (draft.admin_username ?? '') : '';
  return (
    <Row label={label} change={<ChangeLink step="config" what={label} />}>
      <span className="mono">{name === '' ? email : name}</span>
      <span className="small muted">{t(isTyped ? 'wizard.express.password_typed' : 'wizard.express.password')}</span>
    </Row>
  );
}
