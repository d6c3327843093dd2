export interface FilterTab<Value extends string> {
  readonly value: Value;
  readonly label: string;
  /** How many rows it has; undefined: not known yet. */
  readonly count?: number | undefined;
  /** Something in it needs the person. */
  readonly isMarked?: boolean;
}

/** One choice of which rows are shown, each possibly with its count. */
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
          {tab.isMarked === true ? <span className="dot" aria-hidden="true" /> : null}
          {tab.label} {'count' in tab ? <b>{tab.count ?? ''}</b> : null}
        </button>
      ))}
    </div>
  );
}
