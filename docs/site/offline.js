// Search in pages that are opened as files: browsers start no Worker from a file, and an iframe does the same work.
// Messages arrive later and as copies, as those between a page and a Worker do.
if (location.protocol === "file:") {
  window.Worker = class {
    constructor(url) {
      this.frame = document.createElement("iframe")
      this.frame.hidden = true
      document.body.append(this.frame)
      const inside = this.frame.contentWindow
      inside.postMessage = data => setTimeout(copy => this.onmessage?.({ data: copy }), 0, structuredClone(data))
      const script = inside.document.createElement("script")
      script.src = new URL(url, document.baseURI).href
      script.onerror = event => this.onerror?.(event)
      this.ready = new Promise(resolve => (script.onload = () => resolve(inside)))
      inside.document.body.append(script)
    }
    postMessage(data) {
      const copy = structuredClone(data)
      this.ready.then(inside => setTimeout(() => inside.onmessage?.({ data: copy }), 0))
    }
    terminate() {
      this.frame.remove()
    }
  }
}
