import type { PackageConfigAnswer } from '@moorage/contracts';
import type { WizardStep } from '@moorage/domain';
import { type ReactNode, useState } from 'react';
import { Link } from 'react-router-dom';
import { placeOf, useWithOffer } from '../../parts/offer';
import { SelfHelpLinks } from '../../parts/operator-links';
import { PackageMark } from '../../parts/package-mark';
import { usePackages } from '../../data/catalogue';
import { markIn } from '../../data/package-marks';
import { GracePeriodBanner } from '../../parts/money/grace-period-banner';
import { stepAddress } from '../../parts/order/step-address';
import { VerifyBanner } from '../../parts/verify-banner';
import { useText } from '../../texts/console-i18n';
import { inLanguage } from '../../texts/locale';
import { Button } from '../../ui/button';
import { Flag } from '../../ui/flag';
import { configSections, type Requested } from './config-fields';
import { countryIn } from './country';
import { EnvInput } from './env-input';
import { ExpressPrice } from './express-price';
import { ForgottenNote } from './forgotten-note';
import { OldPrices } from './old-prices-note';
import { OrderError } from './order-error';
import { PackageCards } from './package-cards';
import { ResumedNote } from './resumed-note';
import { SameDomain } from './same-domain';
import { StepHeading } from './step-heading';
import { useChosen } from './use-chosen';
import { useFieldProps } from './use-field-props';
import type { Forward } from './use-forward';
import type { Order } from './use-order';
import { type Prefilled, usePrefilled } from './use-prefilled';
import { useWizard } from './wizard-context';
import './express-order.css';

interface ExpressProps {
  readonly order: Order;
  readonly forward: Forward;
  /** How often Create was refused because of invalid input. */
  readonly marked: number;
  readonly onRestart: () => void;
}

/**
 * Express order: one card with everything chosen, from which one button creates the deployment. Each part can be changed
 * in the wizard's step, which holds the same draft.
 */
export function ExpressOrder({ order, forward, marked, onRestart }: ExpressProps) {
  const t = useText();
  const { wizard, stored, isTakingPackage } = useWizard();
  const isChosen = wizard.draft.package !== null;
  // Keeps the list for the cards and for the row that replaces them.
  usePackages();
  return (
    <main id="content" className="express-page wiz-fields">
      <StepHeading title={t('wizard.express.heading')}>
        {t(isChosen || isTakingPackage ? 'wizard.express.intro' : 'wizard.express.intro_package')}
      </StepHeading>
      <GracePeriodBanner />
      <VerifyBanner />
      {stored.resumed ? <ResumedNote onRestart={onRestart} /> : null}
      {isTakingPackage ? (
        <div className="card express empty" aria-hidden="true" />
      ) : isChosen ? (
        <Chosen order={order} forward={forward} marked={marked} />
      ) : (
        <PackageCards />
      )}
      <p className="small muted afterwards">
        {isChosen ? `${t('wizard.express.time')} ${t('wizard.review.intro')} ` : null}
        <Link to={stepAddress('package')}>{t('wizard.express.step_by_step')}</Link>
      </p>
    </main>
  );
}

function Chosen({ order, forward, marked }: Omit<ExpressProps, 'onRestart'>) {
  const prefilled = usePrefilled();
  return (
    <>
      <ForgottenNote />
      <OrderError order={order} />
      <OldPrices />
      <SameDomain />
      <div className="card express">
        <PackageRow />
        <ServerRow {...prefilled} />
        <AddressRow isMarked={marked > 0} />
        <RequiredRow isMarked={marked > 0} />
        <SignInRow />
        <SupportRow />
        <ExpressPrice forward={forward} />
      </div>
    </>
  );
}

/** A part of the order with its label, and at the right the way to change it. */
function Row({ label, change, children }: { label: string; change?: ReactNode; children: ReactNode }) {
  return (
    <div className="xr">
      <span className="k">{label}</span>
      <div className="v">{children}</div>
      {change === undefined ? null : <span className="chg small">{change}</span>}
    </div>
  );
}

/** Link to the step that changes a part. Without a text of its own it says "Change", and `what` to screen readers. */
function ChangeLink({ step, text, what }: { step: WizardStep; text?: string; what?: string }) {
  const t = useText();
  return (
    <Link to={stepAddress(step)} aria-label={what === undefined ? undefined : t('wizard.review.change_what', { what })}>
      {text ?? t('wizard.review.change')}
    </Link>
  );
}

function PackageRow() {
  const t = useText();
  const { data: packages } = usePackages();
  const { wizard } = useWizard();
  const [open, setOpen] = useState(false);
  const chosen = packages?.find(({ name }) => name === wizard.draft.package);
  const what = t('wizard.steps.package');
  if (open) {
    return (
      <Row label={what}>
        <PackageCards onChosen={() => setOpen(false)} />
      </Row>
    );
  }
  return (
    <Row
      label={what}
      change={
        <Button
          kind="text"
          size="small"
          className="inline"
          aria-label={t('wizard.review.change_what', { what })}
          onClick={() => setOpen(true)}
        >
          {t('wizard.review.change')}
        </Button>
      }
    >
      <span className="row">
        <PackageMark mark={markIn(packages, wizard.draft.package)} size="s" />
        <b>{chosen?.display_name ?? wizard.draft.package}</b>
      </span>
      {chosen === undefined ? null : <span className="soft">{inLanguage(chosen.description_texts)}</span>}
    </Row>
  );
}

function ServerRow(prefilled: Prefilled) {
  const t = useText();
  const { draft } = useWizard().wizard;
  const what = t('wizard.steps.server');
  if (draft.server_type === 'vps') {
    return (
      <Row label={what} change={<ChangeLink step="server" what={what} />}>
        {t('wizard.review.own_at', { address: draft.vps_ip_address ?? '' })}
      </Row>
    );
  }
  return (
    <Row
      label={what}
      change={
        <>
          <ChangeLink step="instance" text={t('wizard.express.size')} />
          <ChangeLink step="cloud" text={t('wizard.express.place')} />
        </>
      }
    >
      <NewServer {...prefilled} />
    </Row>
  );
}

function NewServer({ isSearching, isNowhere, isSuggested }: Prefilled) {
  const t = useText();
  const { provider, region, size } = useChosen();
  if (isNowhere)
    return (
      <span role="alert">
        {t('wizard.express.nowhere')} <Link to={stepAddress('server')}>{t('wizard.express.choose_server')}</Link>
      </span>
    );
  if (isSearching || size === null || region === null) return <i className="skel w3" aria-hidden="true" />;
  return (
    <>
      <span>
        <b>{size.display_name}</b>
        {`, ${t('wizard.express.resources', { cpu: size.cpu, memory: size.memory })}`}
      </span>
      <span className="row soft">
        <Flag countryCode={region.country_code} />
        {`${provider ?? ''}, ${region.display_name}, ${countryIn(region.country_code)}`}
      </span>
      {isSuggested ? <span className="small muted">{t('wizard.express.near')}</span> : null}
    </>
  );
}

/** Domain of the deployment: the name that the platform gives, or the customer's own. */
function AddressRow({ isMarked }: { isMarked: boolean }) {
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
          <span className="mono">{platformName}</span>
          <span className="small muted">{t('wizard.express.platform_hint')}</span>
        </>
      )}
    </Row>
  );
}

/** Other fields that the package needs and nothing can fill in, such as keys of other services. */
function RequiredRow({ isMarked }: { isMarked: boolean }) {
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

/** Account of the first administrator. Missing values become fields. */
function SignInRow() {
  const t = useText();
  const { config, wizard } = useWizard();
  const fieldProps = useFieldProps(false);
  const requested = requestedIn(config).filter(({ name, required }) => required && SIGN_IN.includes(name));
  const { draft } = wizard;
  const email = draft.admin_email ?? '';
  if (requested.length === 0) return null;
  const label = t('wizard.express.sign_in');
  if (email === '') {
    return (
      <Row label={label}>
        {requested.map((one) => (
          <EnvInput key={one.name} requested={one} {...fieldProps(one.field)} />
        ))}
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

function SupportRow() {
  const t = useText();
  const { draft } = useWizard().wizard;
  const withOffer = useWithOffer(placeOf(draft));
  const level = draft.support_level;
  const what = t('wizard.steps.support');
  return (
    <Row label={what} change={<ChangeLink step="support" what={what} />}>
      <span>
        <b>{t(`wizard.support.level${level}`)}</b>
      </span>
      <span className="soft">{withOffer(t(`wizard.support.has${level}`), level)}</span>
      {level === 1 ? <SelfHelpLinks /> : null}
    </Row>
  );
}
