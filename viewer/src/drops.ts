// Channels that are dragged from a legend to somewhere else.
const channelType = "text/x-armature-channel";

export function dragsChannel(source: HTMLElement, name: string): void {
  source.draggable = true;
  source.addEventListener("dragstart", (event) => event.dataTransfer?.setData(channelType, name));
}

export function takesChannels(target: HTMLElement, take: (name: string) => void): void {
  target.addEventListener("dragover", (event) => {
    if (!event.dataTransfer?.types.includes(channelType)) return;
    event.preventDefault();
    target.classList.add("dropping");
  });
  target.addEventListener("dragleave", () => target.classList.remove("dropping"));
  target.addEventListener("drop", (event) => {
    const name = event.dataTransfer?.getData(channelType);
    target.classList.remove("dropping");
    if (!name) return;
    event.preventDefault();
    take(name);
  });
}
