//! The explorer as a server on the loopback address.

use std::{
    future::Future,
    io,
    net::{Ipv4Addr, SocketAddr},
    sync::{Arc, Mutex},
};

use table_designs::schema::Schema;
use tokio::net::TcpListener;

use crate::{
    Place,
    access::Session,
    advice::Advice,
    design::Design,
    edit::Edits,
    server::{self, Shared},
};

/// An explorer that does not listen yet.
#[derive(Debug)]
pub struct Explorer {
    places: Vec<Place>,
    design: Option<Design>,
    advice: Advice,
    is_writable: bool,
    is_raw: bool,
}

/// An explorer that listens.
#[derive(Debug)]
pub struct Running {
    listener: TcpListener,
    address: SocketAddr,
    link: String,
    shared: Arc<Shared>,
}

impl Explorer {
    /// Creates an explorer of one place, which only reads.
    #[must_use]
    pub fn new(place: Place) -> Self {
        Self::of_places(vec![place])
    }

    /// Creates an explorer of several places, which only reads. The paths of their pages begin with `/a/NAME`.
    #[must_use]
    pub fn of_places(places: Vec<Place>) -> Self {
        Self { places, design: None, advice: Advice::default(), is_writable: false, is_raw: false }
    }

    /// Sets the design of the stored entities. Pages show the kind of each row, and changes of an entity include its
    /// index rows.
    ///
    /// ```
    /// use table_explorer::{Explorer, Place};
    /// use table_patterns::{Store, TableEntity};
    ///
    /// #[derive(TableEntity, Clone, Debug)]
    /// #[table(name = "Employees", partition = "{department}", row = "empid_{id:06}")]
    /// #[table(index(by_email, row = "email_{email}", unique))]
    /// struct Employee { department: String, id: u32, email: String }
    ///
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let company = table_codegen::from_designs("company", &[Employee::DESIGN]).schema;
    /// let place = Place::of_store("company.tables", Store::in_memory()?);
    /// let explorer = Explorer::new(place).design(company).writable(true);
    /// # drop(explorer);
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn design(mut self, design: impl Into<Option<Schema>>) -> Self {
        self.design = design.into().map(Design::new);
        self
    }

    /// Adds a report to the page of the design: its HTML, without scripts and style attributes, and its stylesheet. The
    /// styles of the explorer do not apply to it.
    #[must_use]
    pub fn report(
        mut self,
        style: &'static str,
        render: impl Fn(&Schema) -> String + Send + Sync + 'static,
    ) -> Self {
        self.advice.set_report(style, Box::new(render));
        self
    }

    /// Allows changes.
    #[must_use]
    pub fn writable(mut self, is_writable: bool) -> Self {
        self.is_writable = is_writable;
        self
    }

    /// Allows changes of rows that a design maintains. Every page shows a warning: a change of such a row
    /// contradicts its index rows and totals.
    #[must_use]
    pub fn raw(mut self, is_raw: bool) -> Self {
        self.is_raw = is_raw;
        self
    }

    /// Listens on a port of the loopback address; 0 selects a free one.
    ///
    /// # Errors
    ///
    /// Returns the error of the system if the port is in use or not allowed.
    pub async fn bind(self, port: u16) -> io::Result<Running> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).await?;
        let address = listener.local_addr()?;
        let session = Session::new(address.port())?;
        let link = session.new_link()?;
        let Self { places, design, advice, is_writable, is_raw } = self;
        let shared = Shared {
            places,
            design,
            advice,
            is_writable,
            is_raw,
            session,
            edits: Edits::default(),
            silent_since: Mutex::default(),
            pending_import: Mutex::default(),
        };
        Ok(Running { listener, address, link, shared: Arc::new(shared) })
    }
}

impl Running {
    /// Returns the address with the start token. It is valid for one use within five minutes. A browser with a session
    /// makes further ones.
    #[must_use]
    pub fn start_url(&self) -> String {
        self.link.clone()
    }

    /// Returns the address.
    #[must_use]
    pub const fn address(&self) -> SocketAddr {
        self.address
    }

    /// Serves until `end` completes, and then until the open requests are answered.
    pub async fn until(self, end: impl Future<Output = ()>) {
        server::serve(self.listener, self.shared, end).await;
    }
}
