import { useState } from 'react';
import { usePackageConfig, usePackages } from '../../data/catalogue';
import { Card, Choices, FromPrice } from '../../parts/order/choice';
import { PackageMark } from '../../parts/package-mark';
import { useText } from '../../texts/console-i18n';
import { inLanguage } from '../../texts/locale';
import { LoadedChoices } from './loaded-choices';
import { useWizard } from './wizard-context';
import './package-step.css';

interface PackageCardsProps {
  /** The list closes when a package is chosen, so arrow keys only move through it. */
  readonly closes?: boolean;
  /** Called after a choice. */
  readonly onChosen?: () => void;
}

/** Packages to choose from, with their contents. */
export function PackageCards({ closes = false, onChosen }: PackageCardsProps) {
  const t = useText();
  const { wizard, choosePackage } = useWizard();
  const packages = usePackages();
  const [moved, setMoved] = useState<string | null>(null);
  const chosen = moved ?? wizard.draft.package;
  const choose = (name: string): void => {
    choosePackage(name);
    onChosen?.();
  };
  return (
    /* Fills the screen, so that no visible content shifts when the taller cards load. */
    <LoadedChoices query={packages} failed={t('wizard.failed.packages')} rows={8}>
      {(list) => (
        <Choices
          label={t('wizard.steps.package')}
          value={chosen}
          onChoose={choose}
          {...(closes ? { onMove: setMoved } : {})}
        >
          {list.map((one) => (
            <div key={one.name}>
              <Card
                value={one.name}
                chosen={one.name === chosen}
                className="pk"
                picture={<PackageMark mark={one.mark} />}
                price={<FromPrice daily={one.from_daily} />}
              >
                <b>{one.display_name}</b>
                <br />
                <span className="soft">{inLanguage(one.description_texts)}</span>
                <br />
                <span className="small muted">
                  {t('wizard.package.needs', { cpu: one.min_cpu, memory: one.min_memory_gb })}
                </span>
              </Card>
              <Contents of={one.name} />
            </div>
          ))}
        </Choices>
      )}
    </LoadedChoices>
  );
}

/**
 * Contents of a package, below its card so that expanding them does not select it. Rendered before the data loads to
 * avoid layout shifts.
 */
function Contents({ of: name }: { of: string }) {
  const t = useText();
  const { data: config } = usePackageConfig(name);
  return (
    <details className="contents small">
      <summary>{t('wizard.package.installs')}</summary>
      <ul>
        {config?.details.map(({ name: part, description_texts: description }) => (
          <li key={part}>
            <b>{part}</b> <span className="soft">{inLanguage(description)}</span>
          </li>
        ))}
      </ul>
    </details>
  );
}
