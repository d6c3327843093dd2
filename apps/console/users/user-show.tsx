export default function UserShow() {
  return <h1>UserShow</h1>;
}
