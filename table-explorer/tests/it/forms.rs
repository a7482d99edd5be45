//! Forms of pages, as a browser without a script sends them.

use crate::client::Reply;

/// A form of a page, with the content of its fields.
#[derive(Debug)]
pub(crate) struct Form {
    pub(crate) action: String,
    pub(crate) fields: Vec<(String, String)>,
}

impl Form {
    /// Sets the first field with a name, or adds one.
    pub(crate) fn set(&mut self, name: &str, value: &str) -> &mut Self {
        match self.fields.iter_mut().find(|(known, _)| known == name) {
            Some((_, known)) => value.clone_into(known),
            None => self.fields.push((name.to_owned(), value.to_owned())),
        }
        self
    }

    /// Sets the value of a property, and its type unless it is `None`. The name `""` is the first empty field.
    #[track_caller]
    pub(crate) fn property(&mut self, name: &str, kind: Option<&str>, text: &str) -> &mut Self {
        let at = self.fields.iter().position(|(field, value)| field == "name" && value == name).unwrap();
        let of_property =
            |wanted: &str| self.fields.iter().skip(at).position(|(field, _)| field == wanted).unwrap() + at;
        let (kind_at, text_at) = (of_property("kind"), of_property("text"));
        if let Some(kind) = kind {
            kind.clone_into(&mut self.fields[kind_at].1);
        }
        text.clone_into(&mut self.fields[text_at].1);
        self
    }

    /// Fills the first empty field for a new property.
    #[track_caller]
    pub(crate) fn add(&mut self, name: &str, kind: &str, text: &str) -> &mut Self {
        self.property("", Some(kind), text);
        let at = self.fields.iter().position(|(field, value)| field == "name" && value.is_empty()).unwrap();
        name.clone_into(&mut self.fields[at].1);
        self
    }
}

impl Reply {
    /// Returns the form whose address ends with `action`.
    #[track_caller]
    pub(crate) fn form(&self, action: &str) -> Form {
        let mut forms = self.text.split("<form").skip(1).map(|rest| rest.split("</form>").next().unwrap());
        let address =
            |form: &str| unescaped(form.split_once(" action=\"").unwrap().1.split('"').next().unwrap());
        let form = forms.find(|form| address(form).split('?').next().unwrap().ends_with(action));
        let form = form.unwrap_or_else(|| panic!("no form `{action}` in {} {}", self.status, self.text));
        Form { action: address(form), fields: controls(form) }
    }
}

/// Returns the controls that a browser sends without a click on a named button.
fn controls(form: &str) -> Vec<(String, String)> {
    let mut fields = Vec::new();
    for (at, _) in form.match_indices('<') {
        let rest = &form[at + 1..];
        let (tag, behind) = rest.split_once('>').unwrap_or((rest, ""));
        let Some(name) = attribute(tag, "name") else { continue };
        let value = || attribute(tag, "value").unwrap_or_default();
        let is_checkable = tag.contains("type=\"radio\"") || tag.contains("type=\"checkbox\"");
        match tag.split(' ').next().unwrap() {
            "input" if is_checkable && !tag.contains(" checked") => {}
            "input" => fields.push((name, value())),
            "textarea" => {
                let text = unescaped(behind.split("</textarea>").next().unwrap());
                let text = text.strip_prefix('\n').unwrap_or(&text).replace('\n', "\r\n");
                fields.push((name, text));
            }
            "select" => fields.push((name, selected(behind))),
            _ => {}
        }
    }
    fields
}

/// Returns the value of the selected option, or of the first one.
fn selected(behind: &str) -> String {
    let options = behind.split("</select>").next().unwrap();
    let mut tags = options.split("<option").skip(1).map(|rest| rest.split_once('>').unwrap());
    let (chosen, text) =
        tags.clone().find(|(tag, _)| tag.contains(" selected")).or_else(|| tags.next()).unwrap();
    attribute(chosen, "value").unwrap_or_else(|| text.split('<').next().unwrap().to_owned())
}

fn attribute(tag: &str, name: &str) -> Option<String> {
    let (_, behind) = tag.split_once(&format!(" {name}=\""))?;
    Some(unescaped(behind.split('"').next()?))
}

fn unescaped(text: &str) -> String {
    text.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&amp;", "&")
}
