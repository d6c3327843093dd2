import './filter-tabs.css';

interface TabLabelProps {
  readonly label: string;
  /** Number of rows, or undefined until it is known. */
  readonly count?: number | undefined;
  /** Something in it requires action. */
  readonly isMarked?: boolean;
}

export interface FilterTab<Value extends string> extends TabLabelProps {
  readonly value: Value;
}

/** Tabs that select which rows are shown, each with an optional count. */
export function FilterTabs<Value extends string>({
  label,
  tabs,
  chosen,
  onChoose,
}: {
  label: string;
  tabs: readonly FilterTab<Value>[];
  chosen: Value;
  onChoose: (value: Value) => void;
}) {
  return (
    <div className="seg" role="group" aria-label={label}>
      {tabs.map((tab) => (
        <button key={tab.value} type="button" aria-pressed={tab.value === chosen} onClick={() => onChoose(tab.value)}>
          <TabLabel {...tab} />
        </button>
      ))}
    </div>
  );
}

export function TabLabel({ label, isMarked = false, ...tab }: TabLabelProps) {
  return (
    <>
      {isMarked ? <span className="dot" aria-hidden="true" /> : null}
      {label} {'count' in tab ? <b>{tab.count ?? ''}</b> : null}
    </>
  );
}
