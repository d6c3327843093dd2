export default function Wizard() {
  return <h1>Wizard</h1>;
}
